/**
 * `act`, never twice at once: asked again meanwhile it runs once more afterwards, so the last run began after the last
 * request. Two answers cannot overtake each other, and none is shared with a question that was asked too early (the client
 * gives equal questions in flight one answer).
 */
export function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  const run = async (): Promise<void> => {
    try {
      do {
        isAskedAgain = false;
        await act();
      } while (isAskedAgain);
    } finally {
      running = null;
    }
  };
  return () => {
    if (running === null) running = run();
    else isAskedAgain = true;
    return running;
  };
}
