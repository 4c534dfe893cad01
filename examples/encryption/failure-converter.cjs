const { DefaultFailureConverter } = require('@temporalio/common');

// Messages and stack traces of failures are no payloads by themselves: this makes them one, so that they are encrypted
// too. A CommonJS module, because the SDK loads it with require and puts it into the workflow bundle.
exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
