/** Any page may measure; nothing of the visitor is asked for. */
export const OPEN_TO_PAGES = { 'access-control-allow-origin': '*', 'timing-allow-origin': '*' }
