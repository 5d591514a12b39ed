import ArgumentParser
import COSEKit
import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit

/// `credential key convert`: writes a key in another form.
struct KeyConvertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a key between PEM, JWK and COSE_Key; prints it.",
        discussion: """
            A private key stays private unless --public asks for its public half: take care where it is printed to. \
            A certificate stands for its public key. A COSE_Key is printed in base64url.
            """
    )

    @Argument(help: "The key: PEM, DER, JWK or COSE_Key, or - for standard input.")
    var file = InputFile(argument: "-")

    @Option(name: .long, help: "The form to convert to.")
    var format: KeyFormat

    @Flag(name: .long, help: "Write the public key alone.")
    var `public` = false

    @Option(name: .long, help: "The key's identifier, for kid in a JWK or COSE_Key.")
    var keyID: String?

    @Option(name: .long, help: "The file for the key, readable by its owner only; by default it is printed.")
    var output: String?

    @Flag(name: .long, help: "Replace an existing file.")
    var force = false

    func run() async throws {
        let key = try file.keyMaterial()
        let text = try format.text(of: `public` ? .publicKey(key.publicKey) : key, keyID: keyID)
        guard let output else { return Console.current.output(text) }
        try OutputFile(path: output).write(Array((text + "\n").utf8), mode: 0o600, replacing: force)
    }
}

/// The form that a key is written in.
enum KeyFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// SubjectPublicKeyInfo or PKCS #8 (RFC 7468).
    case pem
    /// JSON Web Key (RFC 7517).
    case jwk
    /// COSE_Key (RFC 9052, 7).
    case cose

    /// The key as text; the private part is in it if the key has one.
    func text(of key: KeyMaterial, keyID: String?) throws -> String {
        switch self {
        case .pem: Self.pem(of: key)
        case .jwk: JSONValue.object(try Self.jwk(of: key, keyID).membersWithSecrets()).text()
        case .cose: try Self.coseKey(of: key, keyID).encoded().base64URLText
        }
    }

    private static func pem(of key: KeyMaterial) -> String {
        let text =
            switch key {
            case .privateKey(let key): key.pem
            case .publicKey(let key): key.pem
            }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func jwk(of key: KeyMaterial, _ keyID: String?) throws -> JWK {
        switch key {
        case .privateKey(let key): try JWK(key, keyID: keyID)
        case .publicKey(let key): try JWK(key, keyID: keyID)
        }
    }

    private static func coseKey(of key: KeyMaterial, _ keyID: String?) throws -> COSEKey {
        let attributes = COSEKey.Attributes(keyID: keyID.map { Array($0.utf8) })
        return switch key {
        case .privateKey(let key): try COSEKey(privateKey: key, attributes: attributes)
        case .publicKey(let key): try COSEKey(publicKey: key, attributes: attributes)
        }
    }
}
