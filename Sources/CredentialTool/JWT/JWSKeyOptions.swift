import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit

/// The keys and algorithms that a signature is accepted from.
struct JWSKeyOptions: ParsableArguments {
    @Option(name: .long, help: "The issuer's public key: JWK, JWK Set or PEM.")
    var key: InputFile?

    @Option(
        name: .long,
        help: "A file of certificates that the token's x5c must lead to, PEM or DER; may be repeated."
    )
    var trust: [InputFile] = []

    @Option(name: .long, help: "A signature algorithm to accept; may be repeated.")
    var algorithm: [SignatureAlgorithmName] = [.es256, .es384, .es512, .edDSA, .ed25519].map { .init($0) }

    func validate() throws {
        guard (key == nil) != trust.isEmpty else {
            throw ValidationError("Say whose signature is accepted: with --key, or with --trust.")
        }
    }

    var policy: JWSVerificationPolicy {
        JWSVerificationPolicy(algorithms: Set(algorithm.map(\.algorithm)))
    }

    /// The anchors that `--trust` names.
    func anchors() throws -> [Certificate] {
        try trust.flatMap { try $0.certificates() }
    }

    /// The key of a signature, from the options.
    func verificationKey() throws -> JWSKey {
        if let key { return try key.verificationKey() }
        return .certificateChain(validatedBy: CertificatePathValidator(anchors: try anchors()))
    }
}

/// The name of an implemented signature algorithm on the command line, such as `ES256`.
struct SignatureAlgorithmName: ExpressibleByArgument, Sendable {
    let algorithm: JWSAlgorithm

    init(_ algorithm: JWSAlgorithm) {
        self.algorithm = algorithm
    }

    init?(argument: String) {
        algorithm = JWSAlgorithm(rawValue: argument)
        guard algorithm.isSupported else { return nil }
    }

    var defaultValueDescription: String { algorithm.rawValue }
}
