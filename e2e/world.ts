import { type DemoFile, type Installation, readDemo, startInstallation } from '@fairway/app'

/** A whole Fairway in a temporary home on free ports; `demo` is its demo world's file when there is one. */
export type World = Installation & {
  demo: DemoFile | null
  dns: { host: string; port: number }
  edge: { host: string; port: number }
}

/** Starts the world in one call; disposing stops it and removes its home. */
export async function startWorld({
  demo = false,
  settings = {},
}: { demo?: boolean; settings?: Record<string, string> } = {}): Promise<World> {
  const installation = await startInstallation({
    command: demo ? 'demo' : 'up',
    settings,
    fromTemplate: true,
  })
  return Object.assign(installation, {
    demo: readDemo(installation.config),
    dns: installation.config.dnsListen,
    edge: installation.config.edgeHttp,
  })
}

/** A world with the demo in it, its sign-in and names at hand. */
export async function startDemoWorld(settings: Record<string, string> = {}): Promise<World & { demo: DemoFile }> {
  const world = await startWorld({ demo: true, settings })
  if (!world.demo) throw new Error('the demo world wrote no demo.json')
  return Object.assign(world, { demo: world.demo })
}
