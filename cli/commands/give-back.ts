import { goOnCommand } from './resume.ts';

export const giveBackCommand = () =>
  goOnCommand('give-back', 'Give a run that you hold back to its agent, with all that was done meanwhile in its evidence.', [
    ['give-back', 'order-desk-7f3k2q', '--note', 'I have called the customer: it is order 88214.'],
  ]);
