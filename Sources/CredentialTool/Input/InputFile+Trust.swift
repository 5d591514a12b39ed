import COSEKit
import CryptoCore
import Foundation
import MdocKit

extension InputFile {
    /// The trust anchors that a file holds: certificates in PEM or DER, trusted for every type of document, or a VICAL,
    /// whose certificates are trusted for the types that it lists.
    ///
    /// Naming a VICAL is what makes it trusted, as with a certificate. It must be in order by itself all the same: signed
    /// by its own signer, whose chain holds together as far as the list carries it, is valid now and keeps the profile;
    /// and not past its `notAfter`. Who stands behind that chain is for `credential mdoc vical --trust` to say.
    func trustAnchors(at time: Date) throws -> [TrustAnchor] {
        let bytes = try read()
        guard let list = try? VICAL(decoding: DecodedInput(recognizing: bytes).bytes) else {
            return try certificates(in: bytes).map { TrustAnchor($0) }
        }
        let chain = (try? list.signature.headers.x5chain(allowingArrayOfOne: true)) ?? []
        let end = try chain.last.map { try Certificate(der: $0) }
        var policy = TrustListPolicy.vical
        policy.signer.acceptsTrustedLeaf = true
        let verification = list.verify(anchors: end.map { [$0] } ?? [], at: time, policy: policy)
        guard let verified = verification.list else {
            throw ToolError("\(path) is a VICAL that is refused: \(verification.failure?.description ?? "")")
        }
        return verified.trustAnchors
    }
}
