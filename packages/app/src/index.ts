export { type Api, ApiError, apiClient } from './api-client.ts'
export { DnsClient, type Question, type Reply, cnameOf, textOf } from './dns-client.ts'
export {
  type Installation,
  type InstallationOptions,
  type Ran,
  startInstallation,
} from './installation/start-installation.ts'
export { type DemoFile, readDemo } from './seed/demo-file.ts'
export { CHECKOUT } from './commands/checkout.ts'
export { killOnce, killZone, loadOf } from './bench/kill/drill.ts'
export { VICTIMS } from './bench/kill/victims.ts'
export { DISASTERS } from './bench/disasters/disasters.ts'
export { endure, startScene } from './bench/disasters/scene.ts'
export { type Played, playScript } from './bench/stream/page-scripts.ts'
export { answersOfOrigin, watchTogether } from './bench/stream/viewers.ts'
