/** The library in one file: its several hundred modules take seconds to load one by one. It comes without types. */
declare module 'mathjs/lib/browser/math.js' {
  const math: { create(config: import('mathjs').ConfigOptions): import('mathjs').MathJsInstance };
  export default math;
}
