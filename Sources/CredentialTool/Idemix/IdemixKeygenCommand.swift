import ArgumentParser
import CommandSupport
import Foundation
import IdemixCore

/// `credential idemix keygen`: makes an issuer's key pair and writes both keys in the XML that IRMA uses.
struct IdemixKeygenCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Generates an issuer's key pair and writes it as XML.",
        discussion: """
            The search for the two safe primes takes a few seconds at 2048 bits and about a minute at 4096; Ctrl-C ends it, and \
            nothing is written. The private key is readable by its owner only.
            """
    )

    @Option(name: .long, help: "The length of the modulus: 1024, 2048 or 4096 bits.")
    var bits = 2_048

    @Option(name: .long, help: "The largest number of attributes that a credential can have.")
    var attributes = 10

    @Option(name: .long, help: "The number of the key among the issuer's: 0 to 65535.")
    var counter: UInt16 = 0

    @Option(
        name: .long,
        help: "The end of the key's use for signing, in RFC 3339 such as 2024-10-01T12:00:00Z; by default in a year."
    )
    var expires: TimeArgument?

    @Flag(name: .long, help: "Leave out the material that makes credentials revocable.")
    var withoutRevocation = false

    @Option(name: .long, help: "The file for the public key.")
    var publicKey = "public-key.xml"

    @Option(name: .long, help: "The file for the private key.")
    var privateKey = "private-key.xml"

    @Flag(name: .long, help: "Replace existing files.")
    var force = false

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard IdemixSystemParameters.all.contains(where: { $0.modulus == bits }) else {
            throw ValidationError("--bits must be 1024, 2048 or 4096")
        }
        guard (0...IdemixKeyElements.maximumBases - 2).contains(attributes) else {
            throw ValidationError("--attributes must be 0 to \(IdemixKeyElements.maximumBases - 2)")
        }
        guard publicKey != privateKey else { throw ValidationError("both keys cannot go to one file") }
    }

    func outcome() async throws -> Outcome {
        let files = (public: OutputFile(path: publicKey), private: OutputFile(path: privateKey))
        // Before the work, so that a refusal wastes none.
        for file in [files.public, files.private] where !force { try file.requireAbsence() }
        let now = Console.current.now()
        let expiry = expires?.date ?? now.addingTimeInterval(365 * 86_400)
        guard expiry > now else { throw ToolError("--expires lies in the past") }
        let keys = try await generate(expiry: expiry)
        try files.private.write(try keys.privateKey.xml(), mode: 0o600, replacing: force)
        try files.public.write(keys.publicKey.xml, mode: 0o644, replacing: force)
        return Outcome(
            report: .fields([
                "public key": .verbatim(publicKey),
                "private key": .verbatim(privateKey),
                "key": IdemixOutline.outline(keys.publicKey),
            ])
        )
    }

    private func generate(expiry: Date) async throws -> IdemixIssuerKeyPair {
        let keys = try await KeyGeneration.keyPair(
            bits: bits,
            counter: UInt(counter),
            expiry: expiry,
            baseCount: attributes + 2
        )
        return withoutRevocation ? try Self.removingRevocation(from: keys) : keys
    }

    private static func removingRevocation(from keys: IdemixIssuerKeyPair) throws -> IdemixIssuerKeyPair {
        let (elements, factors) = (keys.publicKey.elements, keys.privateKey.factors)
        return try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(
                counter: keys.publicKey.counter,
                expiryDate: keys.publicKey.expiryDate,
                elements: IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
            ),
            privateKey: IdemixIssuerPrivateKey(
                counter: keys.privateKey.counter,
                expiryDate: keys.privateKey.expiryDate,
                p: factors.p,
                q: factors.q,
                // They were checked when they were found.
                validation: .arithmetic
            )
        )
    }
}
