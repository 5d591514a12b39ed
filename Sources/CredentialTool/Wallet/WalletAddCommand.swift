import ArgumentParser
import CommandSupport
import CryptoCore
import Foundation
import JOSEKit
import MdocKit
import MdocTrust
import MdocWallet
import SDJWTKit
import SDJWTWallet
import VerificationCore

/// `credential wallet add`: verifies copies of a credential, and keeps them.
struct WalletAddCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a credential: verifies its copies, each bound to a key, and keeps them with the keys.",
        discussion: """
            All files named are copies of one credential. Give --device-key once for all, or once for each copy in its order. \
            Nothing is added unless every copy is verified. No status is asked for.
            """
    )

    @OptionGroup var wallet: StoredWallet

    @Argument(help: "The copies: each an IssuerSigned, or each an SD-JWT VC.")
    var files: [InputFile]

    @Option(name: .long, help: "The private key that a copy is bound to: PEM; once for all copies, or once for each.")
    var deviceKey: [InputFile]

    @Option(
        name: .long,
        help: "A file of trusted issuing authorities: certificates in PEM or DER, or a VICAL; may be repeated."
    )
    var trust: [InputFile] = []

    @Option(name: .long, help: "The issuer's public key, for SD-JWT VCs without certificates: PEM or JWK.")
    var issuerKey: InputFile?

    @Option(name: .long, help: "The presentations that a copy serves: once, until-expiry, or a number.")
    var rotation: RotationArgument

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
        guard deviceKey.count == 1 || deviceKey.count == files.count else {
            throw ValidationError("give --device-key once, or once for each of the \(files.count) copies")
        }
        guard !trust.isEmpty || issuerKey != nil else {
            throw ValidationError("say whom you trust: authorities with --trust, or an issuer's key with --issuer-key")
        }
        guard refillAt >= 0 else { throw ValidationError("--refill-at is not negative") }
        guard to == nil || (name == nil && issuerName == nil) else {
            throw ValidationError("--name and --issuer-name belong to a new credential, not to --to")
        }
    }

    func outcome() async throws -> Outcome {
        let now = Console.current.now()
        let credentials = try wallet.credentials()
        if try files.first?.holdsSDJWT() == true {
            return try await added(sdJWTCopies(at: now), to: credentials.sdJWTs, at: now)
        }
        return try await added(mdocCopies(at: now), to: credentials.mdocs, at: now)
    }

    /// The copies of a credential, or the outcome of the verification that refused one.
    private enum Copies<NewCopy> {
        case verified([NewCopy])
        case refused(Outcome)
    }

    private func deviceKey(of index: Int) throws -> PrivateKey {
        try deviceKey[deviceKey.count == 1 ? 0 : index].privateKey()
    }

    private func anchors(at now: Date) throws -> [TrustAnchor] { try trust.flatMap { try $0.trustAnchors(at: now) } }

    private func mdocCopies(at now: Date) throws -> Copies<NewMdocCopy> {
        guard issuerKey == nil else { throw ToolError("--issuer-key is for SD-JWT VCs: give --trust for mdocs") }
        let verifier = MdocVerifier(trustAnchors: try anchors(at: now), policy: .deployed, clock: { now })
        var copies: [NewMdocCopy] = []
        for (index, file) in files.enumerated() {
            let key = try deviceKey(of: index)
            let verification = verifier.verifyForStorage(try file.issuerSigned(), deviceKey: key.publicKey)
            guard let verified = verification.verified else { return .refused(Outcome(verification)) }
            copies.append(try NewMdocCopy(verified, deviceKey: key.publicKey, keyHandle: key.pkcs8))
        }
        return .verified(copies)
    }

    private func sdJWTCopies(at now: Date) async throws -> Copies<NewSDJWTCopy> {
        let algorithms = JWSVerificationPolicy(algorithms: PresentationVerifierOptions.algorithms)
        var policy = SDJWTVerificationPolicy.credential(algorithms: algorithms, tolerances: .deployed)
        policy.status = .waived
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: IssuerKeys(
                key: try issuerKey?.verificationKey(),
                anchors: try anchors(at: now).map(\.certificate)
            ),
            clock: { now }
        )
        var copies: [NewSDJWTCopy] = []
        for (index, file) in files.enumerated() {
            let key = try deviceKey(of: index)
            let verification = await verifier.verifyForStorage(try file.sdJWT(), holderKey: key.publicKey)
            guard let verified = verification.verified else { return .refused(Outcome(verification, [:])) }
            copies.append(try NewSDJWTCopy(verified, keyHandle: key.pkcs8))
        }
        return .verified(copies)
    }

    private func added<Format: CopyFormat>(
        _ copies: Copies<Format.NewCopy>,
        to store: CredentialStore<Format>,
        at now: Date
    ) async throws -> Outcome {
        switch copies {
        case .refused(let outcome): return outcome
        case .verified(let copies):
            let credential: WalletCredential
            if let to {
                // The removed copies' keys are their handles, and gone with them.
                credential = try await store.add(copies, to: to, at: now).credential
            } else {
                credential = try await store.add(
                    copies,
                    display: name.map { [CredentialDisplay(name: $0, issuerName: issuerName)] } ?? [],
                    rotation: rotation.policy,
                    refillThreshold: refillAt,
                    at: now
                )
            }
            return Outcome(report: .fields(["added": credential.outline(at: now)]))
        }
    }
}
