/** The words of everything that the catalog says of documents and packs, by text code. */
export const DOCUMENT_TEXTS: Readonly<Record<string, { readonly en: string; readonly ru: string }>> = {};
