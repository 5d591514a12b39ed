public import CBORKit

/// A data element as the issuer signed it: with the digest's number and the random that hides the digest
/// (ISO/IEC 18013-5, 10.3.3).
///
/// What its digest covers are the bytes as received, ``taggedBytes``.
public struct IssuerSignedItem: Sendable {
    /// The number of its digest.
    public let digestID: DigestID
    /// At least 16 unpredictable bytes.
    public let random: ArraySlice<UInt8>
    /// The identifier of the element.
    public let elementIdentifier: DataElementIdentifier
    /// The value of the element, not decoded further.
    public let elementValue: CBORView
    /// IssuerSignedItemBytes: the tag-24 item exactly as received.
    public let taggedBytes: ArraySlice<UInt8>
}

extension IssuerSignedItem: MdocReadable {
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let item = try reading.embeddedMap(view)
        digestID = try DigestID(try cbor(item.required("digestID")))
        random = try cbor(item.required("random").bytes())
        elementIdentifier = try reading.name(try cbor(item.required("elementIdentifier")))
        elementValue = try cbor(item.required("elementValue"))
        taggedBytes = view.encodedBytes
    }
}
