/** The demo's newspaper lets everybody in who knows it; nothing is behind it. */
export const MEMBERS_PASSWORD = 'correct horse battery staple'
