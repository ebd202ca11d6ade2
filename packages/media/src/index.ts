export { startMedia } from './start-media.ts'
