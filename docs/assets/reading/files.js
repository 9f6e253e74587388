// Files: the text of a file that somebody opens or drops.

/** A file that cannot be read; its message is a sentence for the reader. */
export class FileRefused extends Error {
  name = "FileRefused"
}

/** The text of a file. @param {File} file @returns {Promise<string>} */
export const textOfFile = (file) => file.text()
