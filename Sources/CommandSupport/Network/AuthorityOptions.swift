package import ArgumentParser

/// The flag for authorities that vouch for servers, beside the system's.
package struct AuthorityOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-file"),
        help: """
            A file of certificates in PEM, of authorities that vouch for servers by TLS, beside the system's; may be repeated.
            """,
        completion: .file()
    )
    package var files: [InputFile] = []

    package init() {}
}
