import COSEKit
import CommandSupport
import CryptoCore
import Foundation
import MdocKit
import MdocTrust

/// The content of a file of trusted authorities.
enum TrustFile {
    /// Certificates, trusted for every type of document.
    case certificates([Certificate])
    /// A VICAL, whose certificates are trusted for the types that it lists.
    case list(VerifiedVICAL)

    /// The trust anchors.
    var trustAnchors: [TrustAnchor] {
        switch self {
        case .certificates(let certificates): certificates.map { TrustAnchor($0) }
        case .list(let list): list.trustAnchors
        }
    }
}

extension InputFile {
    /// The trust anchors that a file holds.
    func trustAnchors(at time: Date) throws(ToolError) -> [TrustAnchor] { try trustFile(at: time).trustAnchors }

    /// The certificates in PEM or DER that a file holds, or its VICAL.
    ///
    /// Naming a VICAL makes it trusted, as it does for a certificate. It must still be in order: signed by its own
    /// signer, whose chain holds together as far as the list carries it, is valid now and keeps the profile; and not
    /// past its `notAfter`. The command `credential mdoc vical --trust` checks the anchor of that chain.
    func trustFile(at time: Date) throws(ToolError) -> TrustFile {
        let bytes = try read()
        let input = DecodedInput(recognizing: bytes)
        // A certificate is a sequence in DER; a VICAL is a COSE_Sign1, which is a CBOR array, tagged or not.
        guard input.encoding != .pem, let first = input.bytes.first, first >> 5 == 4 || first >> 5 == 6 else {
            return .certificates(try certificates(in: bytes))
        }
        let list = try reading("VICAL") { try VICAL(decoding: input.bytes, options: .deployed) }
        let end = try reading("VICAL") {
            try list.signature.headers.x5chain(allowingArrayOfOne: true).last.map { try Certificate(der: $0) }
        }
        var policy = TrustListPolicy.vical
        policy.signer.acceptsTrustedLeaf = true
        let verification = list.verify(anchors: end.map { [$0] } ?? [], at: time, policy: policy)
        guard let verified = verification.verified else {
            throw ToolError("\(name) is a VICAL that is refused: \(verification.refusal?.description ?? "")")
        }
        return .list(verified)
    }
}
