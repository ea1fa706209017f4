# syntax=docker/dockerfile:1
# One executable on a minimal Debian. Build:  docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" -t postroom .
# For an x64 machine without AVX2, when building elsewhere: --build-arg TARGET=bun-linux-x64-baseline
# Run:  docker run -d --name postroom -p 127.0.0.1:8025:8025 -v postroom:/data postroom
# Command line:  docker exec -it postroom postroom account list
# test/minbase.sh tries the executable in the same surroundings without Docker.

FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl unzip \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The packages change less often than the source: a layer of their own.
COPY package.json bun.lock bunfig.toml dev ./
RUN ./dev install
COPY . .
ARG COMMIT=unknown
ARG TARGET=
RUN ./dev build --outfile /out/postroom --commit "$COMMIT" ${TARGET:+--target "$TARGET"} \
 && /out/postroom version

FROM debian:bookworm-slim
# The C++ runtime is all that the executable needs beyond libc; Debian's base has it because apt needs it. TLS roots and
# time zones are inside the executable.
RUN ldconfig -p | grep -q libstdc++.so.6 \
 && useradd --system --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin postroom \
 && install -d -o postroom -g postroom -m 0700 /data
COPY --from=build /out/postroom /usr/local/bin/postroom
USER 10001:10001
ENV POSTROOM_DATA=/data
WORKDIR /data
VOLUME /data
EXPOSE 8025
# Sends that are under way get time to finish; the server answers SIGTERM.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["/usr/local/bin/postroom", "health"]
ENTRYPOINT ["/usr/local/bin/postroom"]
# Inside the container every interface; which of the host's addresses reach it is said by -p.
CMD ["serve", "--host", "0.0.0.0", "--port", "8025"]
