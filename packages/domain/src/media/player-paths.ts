/** Where every host of videos gives the player, and the page of one video for an iframe. */
export const PLAYER_FOLDER = '/player/'
export const EMBED_FOLDER = '/embed/'
/** What pages load: its element and attributes stay as they are. */
export const PLAYER_SCRIPT = `${PLAYER_FOLDER}v1.js`
export const embedPath = (id: string): string => `${EMBED_FOLDER}${id}`

/** Open while signing is on: nothing of a film is in them, and what they ask for needs a token. */
export const isPlayerPath = (path: string): boolean => path.startsWith(PLAYER_FOLDER) || path.startsWith(EMBED_FOLDER)
