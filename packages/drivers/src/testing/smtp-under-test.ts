import { SMTPServer } from 'smtp-server'

export type SmtpUnderTest = AsyncDisposable & {
  url: string
  port: number
  /** What arrived, as it came, with its receivers. */
  letters: { to: string[]; raw: string }[]
  /** From now on a receiver, or whoever says this, is answered with this code; null takes everyone. */
  refuse(answer: Refusal | null): void
}
type Refusal = { code: number } & ({ address: string } | { at: 'greeting' | 'MAIL FROM' })

/** A mail server of somebody else's making at a loopback port; with `password` it wants user `ann` to sign in. */
export async function startSmtp({
  port = 0,
  password,
}: { port?: number; password?: string } = {}): Promise<SmtpUnderTest> {
  const letters: SmtpUnderTest['letters'] = []
  let refused: Refusal | null = null
  const answer = (isMeant: (refusal: Refusal) => boolean, done: (error?: Error) => void) =>
    refused && isMeant(refused)
      ? done(Object.assign(new Error('not this one'), { responseCode: refused.code }))
      : done()
  const server = new SMTPServer({
    authOptional: password === undefined,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username }) : done(new Error('wrong password')),
    onConnect: (_session, done) => answer((one) => 'at' in one && one.at === 'greeting', done),
    onMailFrom: (_address, _session, done) => answer((one) => 'at' in one && one.at === 'MAIL FROM', done),
    onRcptTo: ({ address }, _session, done) => answer((one) => 'address' in one && one.address === address, done),
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
    refuse: (refusal) => void (refused = refusal),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
