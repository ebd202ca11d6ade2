/** How encoders are set up; the key stands in none of them, since a page with it might be shown to others. */
export const ffmpegSnippet = (inputUrl: string, keyFrameSeconds: number): string =>
  `ffmpeg -re -i input.mp4 \\
  -c:v libx264 -preset veryfast -b:v 4M -maxrate 4M -bufsize 8M \\
  -force_key_frames 'expr:gte(t,n_forced*${Math.min(keyFrameSeconds, 2)})' -pix_fmt yuv420p \\
  -c:a aac -b:a 128k -ar 48000 -f flv "${inputUrl}/$STREAM_KEY"`
