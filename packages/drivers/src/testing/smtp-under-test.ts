import { SMTPServer } from 'smtp-server'

export type SmtpUnderTest = AsyncDisposable & {
  url: string
  port: number
  /** What arrived, as it came, with its receivers. */
  letters: { to: string[]; raw: string }[]
  /** From now on a receiver is answered with this code; null takes everyone. */
  refuse(answer: { address: string; code: number } | null): void
}

/** A mail server of somebody else's making at a loopback port; with `password` it wants user `ann` to sign in. */
export async function startSmtp({
  port = 0,
  password,
}: { port?: number; password?: string } = {}): Promise<SmtpUnderTest> {
  const letters: SmtpUnderTest['letters'] = []
  let refused: { address: string; code: number } | null = null
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username }) : done(new Error('wrong password')),
    onRcptTo(address, _session, done) {
      if (address.address === refused?.address)
        done(Object.assign(new Error('not this one'), { responseCode: refused.code }))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        letters.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = server.server.address()
  const own = typeof bound === 'object' && bound ? bound.port : port
  return {
    letters,
    port: own,
    url: `smtp://${password === undefined ? '' : `ann:${password}@`}127.0.0.1:${own}`,
    refuse: (answer) => void (refused = answer),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
