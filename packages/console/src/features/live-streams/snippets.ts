/** How encoders are set up; the key stands in none of them, since a page with it might be shown to others. */
export const ffmpegSnippet = (inputUrl: string, keyFrameSeconds: number): string =>
  `ffmpeg -re -i input.mp4 \\
  -c:v libx264 -preset veryfast -b:v 4M -maxrate 4M -bufsize 8M \\
  -force_key_frames 'expr:gte(t,n_forced*${Math.min(keyFrameSeconds, 2)})' -pix_fmt yuv420p \\
  -c:a aac -b:a 128k -ar 48000 -f flv "${inputUrl}/$STREAM_KEY"`

/** OBS Studio asks for address and key; GStreamer takes both in one line. */
export const whipSnippet = (url: string): string =>
  `gst-launch-1.0 videotestsrc is-live=true ! x264enc tune=zerolatency key-int-max=60 ! h264parse ! w. \\
  audiotestsrc is-live=true ! audioconvert ! opusenc ! w. \\
  whipclientsink name=w signaller::whip-endpoint="${url}" signaller::auth-token="$STREAM_KEY"`
