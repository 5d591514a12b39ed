import ArgumentParser
import CryptoCore
import Foundation
import JOSEKit

/// The keys and algorithms that a signature is accepted from.
struct JWSKeyOptions: ParsableArguments {
    @Option(name: .long, help: "The issuer's public key: JWK, JWK Set or PEM.")
    var key: InputFile?

    @Option(name: .long, parsing: .upToNextOption, help: "Certificates that the token's x5c must lead to, PEM or DER.")
    var trust: [InputFile] = []

    @Option(name: .long, parsing: .upToNextOption, help: "The signature algorithms that are accepted.")
    var algorithm = ["ES256", "ES384", "ES512", "EdDSA", "Ed25519"]

    func validate() throws {
        guard (key == nil) != trust.isEmpty else {
            throw ValidationError("Say whose signature is accepted: with --key, or with --trust.")
        }
    }

    var policy: JWSVerificationPolicy {
        JWSVerificationPolicy(algorithms: Set(algorithm.map { JWSAlgorithm(rawValue: $0) }))
    }

    /// The anchors that `--trust` names.
    func anchors() throws -> [Certificate] {
        try trust.flatMap { try $0.certificates() }
    }

    /// Where the key of a signature comes from.
    func verificationKey(at time: Date) throws -> JWSKey {
        if let key { return try key.verificationKey() }
        return .certificateChain(validatedBy: CertificatePathValidator(anchors: try anchors()), at: time)
    }
}
