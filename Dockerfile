# syntax=docker/dockerfile:1
# One executable, the C and C++ libraries, and nothing else: no shell, no package manager.
# Build:  docker build --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" -t postroom .
# For an x64 machine without AVX2, when building elsewhere: --build-arg TARGET=linux-x64-baseline; for arm64: TARGET=linux-arm64
# Run:  docker run -d --name postroom -p 127.0.0.1:8025:8025 -v postroom:/data postroom
# Command line:  docker exec -it postroom postroom account list
# Behind a proxy with TLS: deploy/compose/. test/executable.test.ts and test/minbase.sh test the executable in the same environment.

FROM debian:bookworm-slim AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates curl unzip \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The packages change less often than the source, so they are in a separate layer.
COPY package.json bun.lock bunfig.toml dev ./
RUN ./dev install
COPY . .
ARG COMMIT=unknown
ARG TARGET=
RUN ./dev build --outfile /out/postroom --commit "$COMMIT" ${TARGET:+--target "$TARGET"} \
 && install -d -m 0700 /out/data

# glibc, libstdc++ and libgcc: what the native libraries need. TLS roots and time zones are inside the executable.
FROM gcr.io/distroless/cc-debian12
COPY --from=build /out/postroom /usr/local/bin/postroom
COPY --from=build --chown=10001:10001 /out/data /data
USER 10001:10001
ENV POSTROOM_DATA=/data PATH=/usr/local/bin:/usr/bin
WORKDIR /data
VOLUME /data
EXPOSE 8025
# The server answers SIGTERM within five seconds; docker stop waits for ten.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["/usr/local/bin/postroom", "health"]
ENTRYPOINT ["/usr/local/bin/postroom"]
# Listens on every interface inside the container; -p selects the host's addresses that reach it.
CMD ["serve", "--host", "0.0.0.0", "--port", "8025"]
