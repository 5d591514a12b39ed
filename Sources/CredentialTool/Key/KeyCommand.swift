import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit

/// `credential key`: the commands for keys.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Generates keys, and converts them between PEM, JWK and COSE_Key.",
        subcommands: [KeyGenerateCommand.self, KeyConvertCommand.self]
    )
}

/// `credential key generate`: makes a key pair.
struct KeyGenerateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates a key pair, and writes the private key and, if asked for, the public one.",
        discussion: """
            The private key is readable by its owner only. Public keys are made of private ones with \
            `credential key convert --public`.
            """
    )

    @Option(name: .long, help: "The type: the name of a curve, or RSA-2048 to RSA-4096.")
    var type = KeyType.curve(.p256)

    @Option(name: .long, help: "The form of the keys.")
    var format = KeyFormat.pem

    @Option(name: .long, help: "The key's identifier, for kid in a JWK or COSE_Key.")
    var keyID: String?

    @Option(name: .long, help: "The file for the private key.")
    var privateKey: String

    @Option(name: .long, help: "The file for the public key; by default it is not written.")
    var publicKey: String?

    @Flag(name: .long, help: "Replace existing files.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard privateKey != publicKey else { throw ValidationError("both keys cannot go to one file") }
    }

    func outcome() async throws -> Outcome {
        let files = (private: OutputFile(path: privateKey), public: publicKey.map { OutputFile(path: $0) })
        for file in [files.private, files.public].compactMap({ $0 }) where !force { try file.requireAbsence() }
        let key = try type.generate()
        let text = (
            private: try format.text(of: .privateKey(key), keyID: keyID),
            public: try format.text(of: .publicKey(key.publicKey), keyID: keyID)
        )
        try files.private.write(Array((text.private + "\n").utf8), mode: 0o600, replacing: force)
        try files.public?.write(Array((text.public + "\n").utf8), mode: 0o644, replacing: force)
        return Outcome(
            report: .fields([
                "type": .text(key.publicKey.shortDescription),
                "private key": .verbatim(privateKey),
                "public key": publicKey.map { .verbatim($0) },
                "SHA-256 of the public key": .text(
                    HashAlgorithm.sha256.digest(of: key.publicKey.subjectPublicKeyInfo).hexText
                ),
            ])
        )
    }
}

/// The type of a key on the command line.
enum KeyType: ExpressibleByArgument, Sendable {
    case curve(EllipticCurve)
    case rsa(bits: Int)

    init?(argument: String) {
        let name = argument.lowercased()
        if let curve = EllipticCurve.all.first(where: { $0.name.lowercased() == name }) {
            self = .curve(curve)
        } else if name.hasPrefix("rsa-"), let bits = Int(name.dropFirst(4)), (2048...4096).contains(bits) {
            self = .rsa(bits: bits)
        } else {
            return nil
        }
    }

    /// Every curve, and the usual sizes of RSA.
    static var allValueStrings: [String] {
        EllipticCurve.all.filter(\.isSupported).map(\.name) + ["RSA-2048", "RSA-3072", "RSA-4096"]
    }

    var defaultValueDescription: String {
        switch self {
        case .curve(let curve): curve.name
        case .rsa(let bits): "RSA-\(bits)"
        }
    }

    /// A fresh key.
    func generate() throws -> PrivateKey {
        switch self {
        case .curve(let curve): try PrivateKey.generate(curve)
        case .rsa(let bits): try PrivateKey.generateRSA(bits: bits)
        }
    }
}
