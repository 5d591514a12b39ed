import Credentials
import Foundation

/// Signs an SD-JWT VC and a COSE message with a key on a PKCS #11 token, and verifies both.
///
/// The key is a new one, or with a name one that is on the token.
@main
enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let name = arguments.count == 5 ? TokenKeyName(flag: arguments[3], value: arguments[4]) : nil
        guard arguments.count == 3 || name != nil else {
            print("usage: TokenSigner LIBRARY TOKEN-LABEL PIN [--key-label LABEL | --key-id HEX]")
            exit(2)
        }
        do {
            try await run(library: arguments[0], label: arguments[1], pin: arguments[2], key: name)
        } catch {
            print("refused: \(error)")
            exit(1)
        }
    }

    private static func run(library: String, label: String, pin: String, key name: TokenKeyName?) async throws {
        let token = try Token(library: library, label: label, pin: pin)
        let key: TokenKey =
            if let name { try await token.key(name) } else { try await token.generateKey(labeled: "issuer") }
        let signer = TokenSigner(key, on: token)
        print("key on the token: id \(TokenKeyName.hex(key.id))")

        var builder = SDJWTBuilder(credentialType: "https://issuer.example/person", claims: ["given_name": "Erika"])
        try builder.conceal(["given_name"])
        let credential = try await builder.sign(with: signer)
        let verified = try SDJWTVerifier.verify(
            credential,
            issuerKey: IssuerKey(signer.publicKey),
            policy: .credential(algorithms: [.es256]),
            expecting: .noKeyBinding,
            at: Date()
        ).get()
        print("SD-JWT VC signed on the token: \(verified["given_name"] == "Erika" ? "verified" : "wrong")")

        let message = try await COSESign1.sign(Array("content".utf8), with: signer).encoded()
        let payload = try COSESign1(decoding: message).verify(with: signer.publicKey, policy: [.es256]).payload
        print("COSE_Sign1 signed on the token: \(payload.elementsEqual("content".utf8) ? "verified" : "wrong")")
        try await token.close()
    }
}
