import { spawn } from 'node:child_process'

const [WIDTH, HEIGHT, FPS] = [640, 360, 25]
/** Bits of the clock in ms, the least last, as bright and dark blocks in a row; then their sum in four more. */
const BITS = 28
const BLOCK = 20

/** An encoder of somebody's that shows the time at which each of its frames was made. */
export function startClock(to: string): Disposable {
  const words = `-v error -f rawvideo -pix_fmt gray -s ${WIDTH}x${HEIGHT} -r ${FPS} -i pipe:0 -re -f lavfi -i sine=frequency=440 -c:v libx264 -preset ultrafast -tune zerolatency -g ${2 * FPS} -pix_fmt yuv420p -c:a aac -f flv`
  const encoder = spawn('ffmpeg', [...words.split(' '), to], { stdio: ['pipe', 'ignore', 'inherit'] })
  encoder.stdin.on('error', () => {})
  const began = performance.now()
  let frames = 0
  const timer = setInterval(() => {
    for (; frames < ((performance.now() - began) * FPS) / 1000; frames++) encoder.stdin.write(frame(Date.now(), frames))
  }, 5)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      encoder.kill('SIGKILL')
    },
  }
}

function frame(at: number, number: number): Buffer {
  const picture = Buffer.alloc(WIDTH * HEIGHT)
  // Something that moves, so that there is something to encode.
  for (let row = BLOCK; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++)
      picture[row * WIDTH + column] = 64 + ((column + row + number * 3) % 128)
  const bits = [...(at % 2 ** BITS).toString(2).padStart(BITS, '0')].map(Number)
  const check = bits.reduce((sum, bit) => sum + bit, 0) % 16
  const all = [...bits, ...[...check.toString(2).padStart(4, '0')].map(Number)]
  for (const [index, bit] of all.entries())
    for (let row = 0; row < BLOCK; row++)
      picture.fill(bit * 235, row * WIDTH + index * BLOCK, row * WIDTH + (index + 1) * BLOCK)
  return picture
}
