# An image with the program: built from source in one stage, installed from its Debian package in the other.
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends git make ca-certificates
COPY . /src
WORKDIR /src
RUN make deb

FROM debian:12-slim
COPY --from=build /src/build/deb/equipoise_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/equipoise_*.deb \
    && rm -rf /tmp/equipoise_*.deb /var/lib/apt/lists/* && useradd --create-home equipoise
USER equipoise
WORKDIR /data
ENTRYPOINT ["equipoise"]
CMD ["--help"]
