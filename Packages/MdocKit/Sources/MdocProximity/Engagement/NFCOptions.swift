package import CBORKit
package import MdocKit

/// The largest sizes that a wallet takes and gives in one NFC command (ISO/IEC 18013-5, 9.3).
public struct NFCOptions: Hashable, Sendable {
    /// The longest command data field in bytes, 255 to 65535.
    public let maximumCommandData: Int
    /// The longest response data field in bytes, 256 to 65536.
    public let maximumResponseData: Int

    /// Sets the lengths; nil if one is out of its range.
    public init?(maximumCommandData: Int, maximumResponseData: Int) {
        guard (255...65535).contains(maximumCommandData), (256...65536).contains(maximumResponseData) else {
            return nil
        }
        self.maximumCommandData = maximumCommandData
        self.maximumResponseData = maximumResponseData
    }
}

extension NFCOptions: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let options = NFCOptions(
            maximumCommandData: try cbor(map.required(0).integer()),
            maximumResponseData: try cbor(map.required(1).integer())
        )
        guard let options else {
            throw MdocError(.invalidValue, "the lengths of NFC data fields are out of range", at: view)
        }
        self = options
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 2)
        writer.write(unsigned: 0)
        writer.write(integer: maximumCommandData)
        writer.write(unsigned: 1)
        writer.write(integer: maximumResponseData)
    }
}
