/** In the place of a validator that @rjsf/core loads for its own tests only: it needs `eval`, which no page of ours may. */
export default {};
