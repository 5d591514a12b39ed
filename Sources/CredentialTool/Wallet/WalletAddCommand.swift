import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import MdocWallet

/// `credential wallet add`: verifies copies of a document, and keeps them.
struct WalletAddCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a document: verifies its copies, each bound to a device key, and keeps them with the keys.",
        discussion: """
            All documents named are copies of one credential. Give --device-key once for all, or once for each copy in its order. \
            Nothing is added unless every copy is verified.
            """
    )

    @OptionGroup var wallet: StoredWallet

    @Argument(help: "The copies: each an IssuerSigned.")
    var documents: [InputFile]

    @Option(name: .long, help: "The private key that a copy is bound to: PEM; once for all copies, or once for each.")
    var deviceKey: [InputFile]

    @Option(
        name: .long,
        help: "A file of trusted issuing authorities: certificates in PEM or DER, or a VICAL; may be repeated."
    )
    var trust: [InputFile]

    @Option(name: .long, help: "The presentations that a copy serves: once, until-expiry, or a number.")
    var rotation = RotationArgument(.untilExpiry)

    @Option(name: .long, help: "The number of usable copies at which to fetch more.")
    var refillAt = 0

    @Option(name: .long, help: "The name of the credential, for people.")
    var name: String?

    @Option(name: .long, help: "The name of the issuer, for people.")
    var issuerName: String?

    @Option(name: .long, help: "The identifier of a credential that the copies are added to, in place of spent ones.")
    var to: String?

    @OptionGroup var outputOptions: OutputOptions

    func validate() throws {
        guard deviceKey.count == 1 || deviceKey.count == documents.count else {
            throw ValidationError("give --device-key once, or once for each of the \(documents.count) documents")
        }
        guard refillAt >= 0 else { throw ValidationError("--refill-at is not negative") }
        guard to == nil || (name == nil && issuerName == nil) else {
            throw ValidationError("--name and --issuer-name belong to a new credential, not to --to")
        }
    }

    func outcome() async throws -> Outcome {
        let now = Console.current.now()
        let store = try wallet.store()
        let verifier = MdocVerifier(
            trustAnchors: try trust.flatMap { try $0.trustAnchors(at: now) },
            policy: .deployed,
            clock: { now }
        )
        var copies: [NewCopy] = []
        for (index, document) in documents.enumerated() {
            let key = try deviceKey[deviceKey.count == 1 ? 0 : index].privateKey()
            let verification = verifier.verifyForStorage(try document.issuerSigned(), deviceKey: key.publicKey)
            guard let verified = verification.verified else { return Outcome(verification) }
            copies.append(try NewCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8))
        }
        let credential: WalletCredential
        if let to {
            // The removed copies' keys are their handles, and gone with them.
            credential = try await store.add(copies, to: to, at: now).credential
        } else {
            let display = name.map { [CredentialDisplay(name: $0, issuerName: issuerName)] } ?? []
            credential = try await store.add(
                copies,
                display: display,
                rotation: rotation.policy,
                refillThreshold: refillAt,
                at: now
            )
        }
        return Outcome(report: .fields(["added": credential.outline(at: now)]))
    }
}
