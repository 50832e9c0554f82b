/** How a document that a client sends is called in the places of its problems. */
export const SENT_DOCUMENT = 'document';
