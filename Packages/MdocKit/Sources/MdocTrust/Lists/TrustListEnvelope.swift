import CBORKit
import COSEKit
import MdocKit

/// The common form of a VICAL and a RICAL: an untagged COSE_Sign1 whose payload is the list (ISO/IEC 18013-5, C.1.7.1
/// and F.3.2).
struct TrustListEnvelope: Sendable {
    /// The signature over the list.
    let signature: COSESign1
    /// The signer's certificates in DER, leaf first; empty if there are none.
    let x5chain: [ArraySlice<UInt8>]
    /// The whole list as received.
    let encodedBytes: ArraySlice<UInt8>

    /// Reads the envelope.
    ///
    /// - Parameters:
    ///   - bucket: The header that the standard has the signer's certificates in.
    ///   - mayEndWithRoot: `true` where the standard does not have the root left out of them.
    /// - Returns: The envelope and the payload, whose signature has not been checked yet.
    static func read(
        _ bytes: ArraySlice<UInt8>,
        x5chainIn bucket: X5chainBucket,
        mayEndWithRoot: Bool,
        _ reading: inout Reading
    ) throws(MdocError) -> (envelope: TrustListEnvelope, payload: CBORMapView) {
        let view = try reading.message(bytes)
        let signature = try reading.sign1(view)
        let envelope = TrustListEnvelope(
            signature: signature,
            x5chain: try reading.x5chain(
                of: signature,
                expectedIn: bucket,
                mayEndWithRoot: mayEndWithRoot,
                at: view
            ),
            encodedBytes: bytes
        )
        let payload = try cbor(view.untagged().array().element(at: 2))
        let list = try reading.content(of: payload)
        return (envelope, try cbor(list.map()))
    }
}
