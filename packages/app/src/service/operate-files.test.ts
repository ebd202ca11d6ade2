import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { configExample, selfSignedCertificate } from '@fairway/platform'
import { parse, parseAllDocuments } from 'yaml'
import { ROLE_NAMES } from '../roles/role.ts'
import { CHECKOUT } from '../commands/checkout.ts'

const read = (file: string) => fs.readFileSync(path.join(CHECKOUT, 'docs', file), 'utf8')
const guide = read('operate.md')

test('every alert has a section of its own in the guide that it leads to, and no section is left over', () => {
  const alerts = [...read('operate/alerts.yaml').matchAll(/- alert: (\w+)\n(?: {8}.*\n)+?\s+runbook: (\S+)/g)]
  const names = alerts.map(([, name = '']) => name)
  for (const [, name = '', runbook] of alerts) assert.equal(runbook, `docs/operate.md#${name.toLowerCase()}`)
  assert.equal(read('operate/alerts.yaml').match(/- alert:/g)?.length, names.length)
  const sections = [...guide.matchAll(/^### (Fairway\w+)\n\n\S/gm)].map(([, name]) => name)
  assert.deepEqual(sections.sort(), names.sort())
})

test('the dashboard is what Grafana imports: every panel has a question, a place and a number of its own', () => {
  const { panels } = JSON.parse(read('operate/grafana.json')) as {
    panels: { id: number; type: string; gridPos: { x: number; y: number }; targets?: { expr: string }[] }[]
  }
  const asking = panels.filter(({ type }) => type !== 'row')
  for (const { targets = [] } of asking)
    assert.ok(targets.length > 0 && targets.every(({ expr }) => expr.includes('fairway_')))
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  assert.deepEqual([new Set(panels.map(({ id }) => id)).size, new Set(places).size], [panels.length, panels.length])
})

const SETTINGS = new Map(
  [...configExample().matchAll(/^# (FAIRWAY_[A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

test('guide, image, Compose file and chart name settings that there are', () => {
  for (const file of [
    'operate.md',
    'operate/Dockerfile',
    'operate/compose.yaml',
    'operate/helm/values.yaml',
    'operate/helm/templates/statefulset.yaml',
  ])
    assert.deepEqual(
      [...new Set(read(file).match(/FAIRWAY_[A-Z0-9_]+/g))].filter((name) => !SETTINGS.has(name)),
      [],
      file,
    )
})

/** Ports that the image listens at, by its own settings. */
function portsOfImage(): number[] {
  const listens = [...read('operate/Dockerfile').matchAll(/FAIRWAY_[A-Z_]+=0\.0\.0\.0:(\d+)/g)]
  return [...new Set(listens.map(([, port]) => Number(port)))].sort((a, b) => a - b)
}

test('the image is of Debian, holds all packages that the launcher would install, and runs as nobody special', () => {
  const image = read('operate/Dockerfile')
  assert.match(image, /^FROM debian:12/m)
  const launcher = fs.readFileSync(path.join(CHECKOUT, 'fairway'), 'utf8')
  for (const list of ['edge', 'media', 'print']) {
    const [, packages = ''] = new RegExp(`^${list}_packages='([^']+)'`, 'm').exec(launcher) ?? []
    assert.ok(packages !== '' && image.includes(` ${packages} `.trim()), `${list}: ${packages}`)
  }
  assert.match(image, /^USER 10001:10001$/m)
  assert.ok(image.indexOf('COPY . ') < image.indexOf('USER '), 'its code belongs to root')
  const exposed = [...(/^EXPOSE (.+)$/m.exec(image)?.[1] ?? '').matchAll(/\d+/g)].map(([port]) => Number(port))
  assert.deepEqual(
    [...new Set(exposed)].sort((a, b) => a - b),
    portsOfImage(),
  )
})

test('the Compose file starts the image with its home kept, few rights, and only what is public open to everybody', () => {
  const { services, volumes, secrets } = parse(read('operate/compose.yaml')) as {
    services: { fairway: { ports: string[]; volumes: string[]; secrets: string[] } & Record<string, unknown> }
    volumes: Record<string, unknown>
    secrets: Record<string, unknown>
  }
  const { fairway } = services
  assert.deepEqual([fairway['read_only'], fairway['cap_drop'], fairway['restart']], [true, ['ALL'], 'always'])
  assert.ok(fairway.volumes.includes('home:/var/lib/fairway'))
  assert.deepEqual(fairway.volumes.map((one) => one.split(':')[0]).sort(), Object.keys(volumes).sort())
  assert.deepEqual(fairway.secrets, Object.keys(secrets))
  const open = fairway.ports.filter((one) => !one.startsWith('127.0.0.1:')).map((one) => Number(one.split(':')[0]))
  assert.deepEqual(
    [...new Set(open)].sort((a, b) => a - b),
    [53, 80, 443, 1935, 8189],
  )
  for (const one of fairway.ports) assert.ok(portsOfImage().includes(Number(one.split(':').at(-1)?.split('/')[0])), one)
})

type Manifest = {
  kind: string
  metadata: { name: string }
  spec: {
    type?: string
    ports?: { port: number; targetPort: string }[]
    template?: { spec: { containers: Container[]; securityContext: Record<string, unknown> } }
  }
}
type Container = {
  args?: string[]
  env: { name: string; value?: string }[]
  envFrom?: unknown[]
  ports: { name: string; containerPort: number }[]
  livenessProbe: { httpGet: { port: string; path: string } }
  volumeMounts: { name: string; mountPath: string }[]
  securityContext: Record<string, unknown>
}

const go = spawnSync('go', ['version'], { encoding: 'utf8' }).status === 0

test(
  'the chart renders to what a cluster takes, as its values say',
  { skip: go ? false : 'go is not installed here' },
  (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-chart-'))
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
    const chart = path.join(CHECKOUT, 'docs/operate/helm')
    assert.equal(
      (parse(fs.readFileSync(path.join(chart, 'Chart.yaml'), 'utf8')) as { apiVersion: string }).apiVersion,
      'v2',
    )
    const program = path.join(folder, 'render')
    fs.writeFileSync(`${program}.go`, RENDER)
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      GOCACHE: path.join(folder, 'cache'),
      GOFLAGS: '-mod=mod',
    }
    execFileSync('go', ['build', '-o', program, `${program}.go`], { env, cwd: folder })
    const values = parse(fs.readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>
    const render = (more: Record<string, unknown>): Manifest[] =>
      fs.readdirSync(path.join(chart, 'templates')).flatMap((name) => {
        const text = execFileSync(program, [path.join(chart, 'templates', name)], {
          input: JSON.stringify({ Values: { ...values, ...more }, Release: { Name: 'main' } }),
          encoding: 'utf8',
        })
        return parseAllDocuments(text).map((document) => {
          assert.deepEqual(document.errors, [], text)
          return document.toJS() as Manifest
        })
      })
    const plain = render({})
    assert.deepEqual(plain.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(), [
      'Service main',
      'Service main-public',
      'StatefulSet main',
    ])
    const [container] = plain.flatMap(({ spec }) => spec.template?.spec.containers ?? [])
    assert.ok(container)
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    assert.deepEqual(
      portsOfImage().filter((port) => port !== 8060 && ![...ports.values()].includes(port)),
      [],
    )
    for (const { spec } of plain)
      for (const { port, targetPort } of spec.ports ?? []) assert.equal(ports.get(targetPort), port, targetPort)
    assert.equal(ports.get(container.livenessProbe.httpGet.port), 9464)
    assert.deepEqual(
      container.env.filter(({ name }) => !SETTINGS.has(name)),
      [],
    )
    assert.equal(container.env.find(({ name }) => name === 'FAIRWAY_METRICS_ADDRESS')?.value, '0.0.0.0:9464')
    assert.deepEqual(
      [container.args, container.envFrom, container.securityContext['readOnlyRootFilesystem']],
      [undefined, undefined, true],
    )
    assert.equal(container.volumeMounts.find(({ name }) => name === 'home')?.mountPath, '/var/lib/fairway')
    const roles = ['dns', 'edge']
    assert.ok(roles.every((role) => ROLE_NAMES.some((name) => name === role)))
    const [node] = render({ roles, settingsSecret: 'secrets', tolerations: [{ key: 'edge' }] }).flatMap(
      ({ spec }) => spec.template?.spec.containers ?? [],
    )
    assert.deepEqual(node?.args, ['up', '--roles', 'dns,edge'])
    assert.deepEqual(node?.envFrom, [{ secretRef: { name: 'secrets' } }])
  },
)

/** The language of charts, with the functions that this one uses; JSON is YAML. */
const RENDER = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

func main() {
	var given map[string]any
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	functions := template.FuncMap{
		"toYaml":  func(v any) string { text, _ := json.Marshal(v); return string(text) },
		"quote":   func(v any) string { text, _ := json.Marshal(fmt.Sprint(v)); return string(text) },
		"nindent": func(n int, text string) string { return "\\n" + strings.Repeat(" ", n) + text },
		"join": func(with string, list []any) string {
			words := []string{}
			for _, one := range list {
				words = append(words, fmt.Sprint(one))
			}
			return strings.Join(words, with)
		},
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	parsed := template.Must(template.New("chart").Option("missingkey=error").Funcs(functions).Parse(string(text)))
	if err := parsed.Execute(os.Stdout, given); err != nil {
		panic(err)
	}
}
`

test('nginx takes the example of the guide', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-proxy-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  const example = /```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? assert.fail('there is none')
  const { certificatePem, keyPem } = selfSignedCertificate(['console.example.com'], new Date())
  fs.writeFileSync(path.join(folder, 'console.pem'), certificatePem)
  fs.writeFileSync(path.join(folder, 'console.key'), keyPem)
  const here = example.replaceAll('/etc/ssl/', `${folder}/`).replace('198.51.100.20:443', `unix:${folder}/socket`)
  const file = path.join(folder, 'nginx.conf')
  fs.writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\nerror_log stderr;\n${here}}\n`)
  const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-e', 'stderr', '-p', folder, '-c', file], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  })
  assert.equal(status, 0, stderr)
})
