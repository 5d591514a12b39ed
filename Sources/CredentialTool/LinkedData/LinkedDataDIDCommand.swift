import ArgumentParser
import CommandSupport
import CredentialTransport
import DIDKit
import Foundation
import JOSEKit
import JSONKit

/// `credential ld did`: shows the document of a DID, or the DIDs of a key.
struct LinkedDataDIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "did",
        abstract: "Prints the document of a did:key or did:jwk, or the DIDs of a key."
    )

    @Argument(help: "The DID.")
    var did: String?

    @Option(name: .long, help: "A public or private key, PEM or JWK, whose DIDs are printed.")
    var key: InputFile?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard (did == nil) != (key == nil) else { throw ValidationError("Say a DID, or a key with --key.") }
    }

    func run() async throws {
        if let key {
            let publicKey = try key.reading("key") { try key.publicJWK().publicKey() }
            let names: [(name: String, value: Outline)] = [
                ("did:jwk", .text("\(try DID.jwk(publicKey))")),
                ("did:key", Outline.readable { .text("\(try DID.key(publicKey))") } ?? "none"),
            ]
            try outputOptions.print(Outcome(report: .fields(names)))
        } else if let did {
            let document: DIDDocument
            do {
                document = try await DIDMethods.local.document(of: DID(did), at: Console.current.now())
            } catch {
                throw ToolError("\(did): \(error)")
            }
            let format: JSONFormat = outputOptions.json ? .compact : .pretty
            Console.current.output(JSONValue.object(document.members).text(format.escapingInvisible))
        }
    }
}

extension InputFile {
    /// The public part of a key in JWK or PEM.
    fileprivate func publicJWK() throws -> JWK {
        let key = try jwk()
        return key.publicJWK ?? key
    }
}

/// Status lists in files, as if they were fetched.
enum ListFiles {
    static func transport(_ files: [ContextArgument]) throws -> any HTTPTransport {
        var answers: [String: InMemoryHTTPAnswer] = [:]
        for list in files { answers[list.url] = .ok(try list.file.read(), type: .json) }
        return InMemoryHTTPTransport { [answers] request in
            let url = request.url.description
            guard let answer = answers[url] else { throw TransportError(notAtHand: url, "name it with --status-list") }
            return answer
        }
    }
}
