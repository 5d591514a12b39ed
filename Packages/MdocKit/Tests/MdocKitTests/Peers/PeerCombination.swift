import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import TestSupport

/// A peer with one algorithm of the standard, in one direction.
struct PeerCombination: Hashable, Sendable, CustomStringConvertible {
    /// The step whose algorithm is tried; all others use P-256 and SHA-256.
    enum Step: Hashable, Sendable {
        /// They issue with a key on the curve; we store, present and verify.
        case theirIssuing(EllipticCurve)
        /// They bind a credential to a device key on the curve, with which our wallet signs; we verify.
        case theirDeviceKeySigning(EllipticCurve)
        /// They bind a credential to a device key on the curve, with which our wallet makes MACs; we verify.
        case theirDeviceKeyMAC(EllipticCurve)
        /// We issue with a key on the curve; they verify.
        case ourIssuing(EllipticCurve)
        /// We issue with a hash function for the digests; they verify.
        case ourDigests(DigestAlgorithm)
        /// Our wallet signs with a device key on the curve; they verify.
        case ourSigning(EllipticCurve)
        /// Our wallet makes MACs with a device key on the curve; they verify.
        case ourMAC(EllipticCurve)
    }

    let peer: PythonPeers.Peer
    let step: Step

    var description: String {
        let text =
            switch step {
            case .theirIssuing(let curve): "issues with \(curve.name), verified by us"
            case .theirDeviceKeySigning(let curve): "binds to \(curve.name), our wallet signs, verified by us"
            case .theirDeviceKeyMAC(let curve): "binds to \(curve.name), our wallet makes a MAC, verified by us"
            case .ourIssuing(let curve): "verifies our issuer's \(curve.name)"
            case .ourDigests(let algorithm): "verifies our digests by \(algorithm)"
            case .ourSigning(let curve): "verifies\(unauthenticated) our wallet's signature with \(curve.name)"
            case .ourMAC(let curve): "verifies\(unauthenticated) our wallet's MAC with \(curve.name)"
            }
        return "\(peer) \(text)"
    }

    /// pymdoccbor reads a response without the device's part: see ``PeerMatrixTests``.
    private var unauthenticated: String { peer == .pymdoccbor ? " the credential, but not" : "" }

    /// Every combination that a peer issues for.
    static let issuing = PythonPeers.Peer.allCases.flatMap { peer in
        (EllipticCurve.standardForSignatures.map(Step.theirIssuing)
            + EllipticCurve.standardForSignatures.map(Step.theirDeviceKeySigning)
            + EllipticCurve.standardForKeyAgreement.map(Step.theirDeviceKeyMAC))
            .map { PeerCombination(peer: peer, step: $0) }
    }

    /// Every combination that a peer verifies.
    static let verifying = PythonPeers.Peer.allCases.flatMap { peer in
        (EllipticCurve.standardForSignatures.map(Step.ourIssuing)
            + [DigestAlgorithm.sha256, .sha384, .sha512].map(Step.ourDigests)
            + EllipticCurve.standardForSignatures.map(Step.ourSigning)
            + EllipticCurve.standardForKeyAgreement.map(Step.ourMAC))
            .map { PeerCombination(peer: peer, step: $0) }
    }
}

/// The outcome of a combination.
enum PeerOutcome: Sendable, CustomStringConvertible {
    case verified
    /// The peer refuses, in its words.
    case refusedByPeer(String)
    /// We refuse what the peer issued.
    case refusedByUs(String)

    var description: String {
        switch self {
        case .verified: "verified"
        case .refusedByPeer(let reason): "refused by the peer: \(reason)"
        case .refusedByUs(let reason): "refused by us: \(reason)"
        }
    }

    /// The refusal, or nil.
    var refusal: String? {
        switch self {
        case .verified: nil
        case .refusedByPeer(let reason), .refusedByUs(let reason): reason
        }
    }
}

/// The certificates and keys of a combination.
struct PeerScene: Sendable {
    let utopia: Utopia
    let deviceKey: PrivateKey
    let readerKey: PrivateKey
    let makesMAC: Bool
    let digestAlgorithm: DigestAlgorithm

    static let elements: [String: [String: String]] = [
        "org.iso.18013.5.1": ["family_name": "Doe", "given_name": "Jörg 日本", "document_number": "123456789"],
        "org.iso.18013.5.1.UT": ["favourite": "green"],
    ]

    init(_ step: PeerCombination.Step) async throws {
        var issuerCurve = EllipticCurve.p256
        var deviceCurve = EllipticCurve.p256
        var digests = DigestAlgorithm.sha256
        var makesMAC = false
        switch step {
        case .theirIssuing(let curve), .ourIssuing(let curve): issuerCurve = curve
        case .theirDeviceKeySigning(let curve), .ourSigning(let curve): deviceCurve = curve
        case .theirDeviceKeyMAC(let curve), .ourMAC(let curve): (deviceCurve, makesMAC) = (curve, true)
        case .ourDigests(let algorithm): digests = algorithm
        }
        utopia = try await Utopia.make(signerCurve: issuerCurve, at: Date())
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 521))
        deviceKey = try PrivateKey.generate(deviceCurve, using: random)
        readerKey = try PrivateKey.generate(deviceCurve, using: random)
        digestAlgorithm = digests
        self.makesMAC = makesMAC
    }

    /// Issues a credential of our own.
    func issue() async throws -> IssuerSigned {
        let now = Date()
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 30 * Utopia.day)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey.publicKey, validityInfo: validity)
        builder.digestAlgorithm = digestAlgorithm
        for (nameSpace, elements) in Self.elements {
            for (identifier, value) in elements {
                try builder.add(.text(value), as: DataElementIdentifier(identifier), in: NameSpace(nameSpace))
            }
        }
        return try await utopia.issue(builder)
    }

    /// Presents with our wallet.
    func present(_ credential: IssuerSigned) async throws -> DeviceResponse {
        let prepared = try PreparedMdocDocument(credential, sessionTranscript: utopia.transcript)
        let document =
            if makesMAC {
                try await prepared.authenticated(with: deviceKey, readerKey: readerKey.publicKey)
            } else {
                try await prepared.signed(with: SoftwareSigner(deviceKey))
            }
        return try DeviceResponse(documents: [document])
    }

    /// Verifies with our reader.
    func verify(_ response: DeviceResponse) async -> Verification<[VerifiedMdocDocument]> {
        await utopia.verifier(at: Date()).verify(
            response,
            sessionTranscript: utopia.transcript,
            readerKeys: [readerKey]
        )
    }
}
