import ArgumentParser
import CommandSupport
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import LinkedDataKit
import MdocKit
import MdocTrust
import OID4VPVerifier
import SDJWTKit

/// A verifier's trust in the issuers of credentials of every format, and its knowledge of revocations.
struct PresentationVerifierOptions: ParsableArguments {
    @Option(
        name: .long,
        help: """
            A file of trusted issuing authorities for mdocs and for SD-JWTs with certificates: PEM or DER, or a VICAL for \
            mdocs; may be repeated.
            """
    )
    var trust: [InputFile] = []

    @Option(name: .long, help: "The public key of the issuer of SD-JWTs: JWK, JWK Set or PEM.")
    var issuerKey: InputFile?

    @Option(name: .long, help: "An issuer of W3C credentials that is trusted, by its identifier; may be repeated.")
    var trustIssuer: [String] = []

    @Option(name: .long, help: "The DID document of a party whose DID is not its key; may be repeated.")
    var didDocument: [InputFile] = []

    @OptionGroup var status: StatusOptions

    @OptionGroup var statusSigner: StatusSignerOptions

    @Option(
        name: .long,
        help: ArgumentHelp("The credential of a bitstring status list; may be repeated.", valueName: "url=file")
    )
    var statusList: [ContextArgument] = []

    @OptionGroup var contexts: LinkedDataOptions

    /// The algorithms of SD-JWTs and of W3C credentials as tokens.
    static let algorithms: Set<JWSAlgorithm> = [
        .es256, .es384, .es512, .es256K, .edDSA, .ed25519, .ps256,
    ]

    func validate() throws {
        guard !status.ignoreStatus || statusList.isEmpty else {
            throw ValidationError("Say --status-list, or --ignore-status, not both.")
        }
    }

    /// The verifiers of the formats.
    ///
    /// - Parameters:
    ///   - isTolerant: Indicates that W3C credentials may have another form than the usual one, and define names themselves.
    ///   - clock: The time of each verification; the trusted lists are read at its present time.
    func verifiers(isTolerant: Bool, clock: @escaping @Sendable () -> Date) throws -> FormatVerifiers {
        let anchors = try trust.flatMap { try $0.trustAnchors(at: clock()) }
        return FormatVerifiers(
            mdoc: try mdoc(anchors, clock),
            // A VICAL vouches for the document types that it lists, and for nothing else.
            sdJWT: try sdJWT(anchors.filter { $0.docTypes == nil }.map(\.certificate), clock),
            w3c: try w3c(isTolerant: isTolerant, clock)
        )
    }

    /// The demands on responses.
    ///
    /// - Parameters:
    ///   - profile: The profile to keep to; nil for none.
    ///   - isTolerant: Indicates that mdocs may deviate as deployed ones do.
    func policy(keeping profile: PresentationProfile?, isTolerant: Bool) throws -> PresentationPolicy {
        var policy = PresentationPolicy()
        policy.profile = profile
        policy.processor = try contexts.processor()
        if isTolerant { policy.mdocReading = .deployed }
        return policy
    }

    private func mdoc(_ anchors: [TrustAnchor], _ clock: @escaping @Sendable () -> Date) throws -> MdocVerifier {
        var policy = MdocVerificationPolicy.strict
        policy.makesAllChecks = true
        policy.status = status.policy
        return MdocVerifier(
            trustAnchors: anchors,
            policy: policy,
            statusChecker: try status.mdocChecker(),
            chainCache: nil,
            clock: clock
        )
    }

    private func sdJWT(_ anchors: [Certificate], _ clock: @escaping @Sendable () -> Date) throws -> SDJWTVerifier {
        var policy = SDJWTVerificationPolicy.credential(
            algorithms: JWSVerificationPolicy(algorithms: Self.algorithms),
            tolerances: .deployed
        )
        policy.status = status.policy
        return SDJWTVerifier(
            policy: policy,
            issuerKeys: IssuerKeys(key: try issuerKey?.verificationKey(), anchors: anchors),
            holderKeys: try LocalDocuments(didDocument),
            statusChecker: try status.sdJWTChecker(algorithms: Self.algorithms, signedBy: statusSigner),
            clock: clock
        )
    }

    private func w3c(
        isTolerant: Bool,
        _ clock: @escaping @Sendable () -> Date
    ) throws -> W3CCredentialVerifier {
        var policy = W3CCredentialPolicy(
            proofs: LinkedDataProofPolicy(linkedData: contexts.linkedData),
            tokens: JWSVerificationPolicy(algorithms: Self.algorithms)
        )
        policy.status = status.policy
        if isTolerant { policy.tolerances = [.otherForms, .sharedNodes, .claimTimes, .ownContext] }
        return try contexts.verifier(
            policy: policy,
            trust: W3CCredentialTrust(issuers: trustIssuer, orAny: false),
            documents: didDocument,
            lists: statusList.isEmpty
                ? try status.transport(naming: "--status-list") : try ListFiles.transport(statusList),
            clock: clock
        )
    }
}

extension FormatVerifiers {
    /// Verifiers of every format without trusted issuers: a request names the formats and algorithms, and no issuers.
    static var everyFormat: FormatVerifiers {
        let tokens = JWSVerificationPolicy(algorithms: PresentationVerifierOptions.algorithms)
        return FormatVerifiers(
            mdoc: MdocVerifier(trustAnchors: []),
            sdJWT: SDJWTVerifier(policy: .credential(algorithms: tokens), issuerKeys: KnownIssuerKeys([:])),
            w3c: W3CCredentialVerifier(policy: W3CCredentialPolicy(tokens: tokens), trust: .issuers([]))
        )
    }
}
