import Credentials
import Foundation

/// Signs an SD-JWT VC and a COSE message with a key on a PKCS #11 token, and verifies both.
@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 3, let library = arguments.first, let pin = arguments.last else {
            print("usage: TokenSigner LIBRARY TOKEN-LABEL PIN")
            exit(2)
        }
        do {
            try await run(library: library, label: arguments[arguments.startIndex + 1], pin: pin)
        } catch {
            print("refused: \(error)")
            exit(1)
        }
    }

    private static func run(library: String, label: String, pin: String) async throws {
        let token = try Token(library: library, label: label, pin: pin)
        let signer = try await TokenSigner.generate(on: token, named: "issuer")

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
