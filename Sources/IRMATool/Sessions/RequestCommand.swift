import ArgumentParser
import CommandSupport
import IRMAMessages
import JSONKit

/// `irma request`: prints a session request, in JSON or signed.
struct RequestCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Prints a session request.",
        discussion: """
            With --auth-method rsa or hmac the request is signed, and a token is printed.

            A folder of schemes that is missing is made, and the well-known schemes are fetched into an empty one.
            """
    )

    @OptionGroup var request: RequestOptions
    @OptionGroup var authentication: RequestorAuthenticationOptions
    @OptionGroup var outputOptions: OutputOptions

    func outcome() async throws -> Outcome {
        try request.checkFlags()
        let message = try request.message(try await request.snapshot())
        switch authentication.method {
        case .rsa, .hmac:
            let token = try await authentication.signed(.session(message), at: Console.current.now())
            return Outcome(report: .text(token))
        case .none, .token:
            let json = try message.json()
            return Outcome(report: .forms(people: .block(json.text(.pretty.escapingInvisible)), machines: json))
        }
    }
}

extension RequestOptions {
    /// The schemes of the folder, after a copy of those that are missing there; the well-known ones where there are none.
    func snapshot() async throws -> SchemeSnapshot {
        let folder = try SchemeFolder.opened(schemes.path ?? SchemeFolder.made())
        if let assets = try SchemeCopy.assets(assets.path) {
            try await SchemeCopy.copySchemes(from: assets, to: folder)
        }
        if let transport = try SchemeNetwork.transportIfBuilt() {
            try await WellKnownSchemes.install(inEmpty: folder, over: transport)
        }
        return try await schemes.snapshot(of: folder)
    }
}
