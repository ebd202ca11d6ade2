import { VIDEO_ENDINGS } from '@fairway/contract'

/** What an input for files offers. */
export const ACCEPT = VIDEO_ENDINGS.map((ending) => `.${ending}`).join()
