import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Call, callInLuajit, luajitInstalled } from './luajit.ts'

/** What one function promises: its module as nginx requires it, its name, itself, and [what, arguments, result]. */
export type Table = [string, string, (...args: never[]) => unknown, [string, unknown[], unknown][]]

/** One test for each table in Node, and one for all of them in LuaJIT, which nginx runs. */
export function holdsInBothWorlds(tables: readonly Table[]): void {
  for (const [module, name, run, cases] of tables) {
    it(`${name} as promised`, () => {
      for (const [what, args, result] of cases)
        assert.deepEqual(run(...(args as never[])), result, `${module}: ${what}`)
    })
  }

  it(
    'the same in LuaJIT, which nginx runs, as in Node',
    { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
    async () => {
      const flat = tables.flatMap(([module, name, , cases]) =>
        cases.map(([what, args, result]) => ({ call: { module, name, args } satisfies Call, what, result })),
      )
      const answers = await callInLuajit(flat.map(({ call }) => call))
      assert.equal(answers.length, flat.length)
      for (const [i, { call, what, result }] of flat.entries())
        assert.deepEqual(answers[i], result, `${call.module}.${call.name}: ${what}`)
    },
  )
}
