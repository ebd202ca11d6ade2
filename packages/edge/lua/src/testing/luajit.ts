import { execFileSync, spawnSync } from 'node:child_process'
import { buildLua } from '../../../src/nginx/build-lua.ts'

export type Call = { module: string; name: string; args: unknown[] }

/** Whether the machine can run the Lua side; nginx carries its own LuaJIT, this is the stand-alone one. */
export function luajitInstalled(): boolean {
  return spawnSync('luajit', ['-e', "require('cjson')"]).status === 0
}

/**
 * Runs calls in LuaJIT on the compiled modules, all in one process. Functions among the arguments cannot cross; bytes do
 * as `{ hex }`.
 */
export async function callInLuajit(calls: Call[]): Promise<unknown[]> {
  const folder = await buildLua()
  const program = `package.path = arg[1] .. '/edge/lua/src/?.lua;' .. arg[1] .. '/?.lua;' .. package.path
    local cjson = require('cjson')
    cjson.encode_sparse_array(true)
    local function given(one)
      if type(one) ~= 'table' or type(one.hex) ~= 'string' then return one end
      return (one.hex:gsub('..', function(byte) return string.char(tonumber(byte, 16)) end))
    end
    local results = {}
    for i, call in ipairs(cjson.decode(io.read('*a'))) do
      local f = require(call.module)[call.name]
      for at, one in pairs(call.args) do call.args[at] = given(one) end
      results[i] = { value = f(unpack(call.args)) }
    end
    io.write(cjson.encode(results))`
  const said = execFileSync('luajit', ['-e', program, '-', folder], { input: JSON.stringify(calls), encoding: 'utf8' })
  return (JSON.parse(said) as { value?: unknown }[]).map((result) => result.value)
}
