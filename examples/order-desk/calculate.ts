import type { BigNumber, MathJsInstance, MathNode } from 'mathjs';

/** Signs that people and models write for the plain ones. */
const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map([['×', '*'], ['÷', '/'], ['−', '-'], ['–', '-'], ['₹', ''], ['$', ''], ['€', ''], ['£', '']]);
const OPERATORS: ReadonlySet<string> = new Set(['add', 'subtract', 'multiply', 'divide', 'mod', 'unaryMinus', 'unaryPlus']);
/** Digits after the point that are shown of a number that never ends, such as 10 / 3. */
const DECIMALS = 10;

/**
 * Exact decimal arithmetic over numbers, + - * / % and brackets: the text is parsed, every node is one of these, then it
 * is computed. Names, functions, assignments and ranges are refused, so nothing can be called and nothing can run long.
 * Throws an Error that says what to write instead.
 */
export async function calculate(expression: string): Promise<string> {
  const math = await arithmetic();
  const plain = expression.replace(/[×÷−–₹$€£]/g, (sign) => PLAIN_SIGNS.get(sign) ?? sign).replace(/(\d),(?=\d{2,3}(?!\d))/g, '$1');
  const node = parsed(math.parse, plain);
  // A percent sign is parsed as a division by a plain 100.
  node.traverse((part) => refuseOthers(part, (value) => math.isBigNumber(value) || math.isNumber(value)));
  const value: unknown = node.evaluate();
  if (!math.isBigNumber(value) || !value.isFinite()) throw new Error(`"${expression}" has no finite value: is it divided by zero?`);
  return rounded(value);
}

let loading: Promise<MathJsInstance> | undefined;

/** Loaded with the first use, since most workers never need it, and kept. */
function arithmetic(): Promise<MathJsInstance> {
  loading ??= import('mathjs/lib/browser/math.js').then(({ default: math }) => math.create({ number: 'BigNumber', precision: 64 }));
  return loading;
}

function parsed(parse: (text: string) => MathNode, expression: string): MathNode {
  try {
    return parse(expression);
  } catch (error) {
    throw new Error(`"${expression}" cannot be read as arithmetic: ${error instanceof Error ? error.message : String(error)}. ${HOW_TO}`, { cause: error });
  }
}

const HOW_TO = 'Write numbers, + - * / % and brackets only, e.g. (480 + 25) * 2. Times are minutes first: (19*60 + 2) - 18*60.';

function refuseOthers(node: MathNode, isNumber: (value: unknown) => boolean): void {
  if (node.type === 'ParenthesisNode') return;
  if (node.type === 'ConstantNode' && 'value' in node && isNumber(node.value)) return;
  if (node.type === 'OperatorNode' && 'fn' in node && typeof node.fn === 'string' && OPERATORS.has(node.fn)) {
    if (!('implicit' in node && node.implicit === true)) return;
    throw new Error(`Between "${node.toString()}" a sign is missing. ${HOW_TO}`);
  }
  throw new Error(`"${node.toString().slice(0, 80)}" is not arithmetic. ${HOW_TO}`);
}

function rounded(value: BigNumber): string {
  return value.toDecimalPlaces(DECIMALS).toFixed();
}
