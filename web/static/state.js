// What the page shows and does at the moment.

/** state is the one chat that is open, and what of it is under way. */
export const state = {
  session: "", // its id; "" before the first question
  run: "", // the run that is under way
  busy: false, // a question is being answered, or sent
  stopping: false,
  leave: null, // an AbortController: reading of the run under way ends, the run does not
  turns: [], // the session's stored turns, of all branches
  branch: false, // the branch that is shown is not the newest one
  files: [], // chosen, not sent
};
