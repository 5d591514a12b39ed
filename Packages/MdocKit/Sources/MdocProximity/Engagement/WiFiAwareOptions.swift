package import CBORKit
package import MdocKit

/// The parameters for reaching a wallet over Wi-Fi Aware (ISO/IEC 18013-5, 9.3).
public struct WiFiAwareOptions: Hashable, Sendable {
    /// The pass-phrase; nil if it is derived from the engagement's key.
    public let passPhrase: String?
    /// The operating class of the channel, if one is given.
    public let operatingClass: UInt64?
    /// The channel number, if one is given.
    public let channelNumber: UInt64?
    /// The supported bands, a bit map, if they are given.
    public let supportedBands: [UInt8]?

    /// Creates options.
    public init(
        passPhrase: String? = nil,
        operatingClass: UInt64? = nil,
        channelNumber: UInt64? = nil,
        supportedBands: [UInt8]?
    ) {
        self.passPhrase = passPhrase
        self.operatingClass = operatingClass
        self.channelNumber = channelNumber
        self.supportedBands = supportedBands
    }
}

extension WiFiAwareOptions: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        passPhrase = try map.value(forKey: 0).map { (view) throws(MdocError) in try cbor(view.text()) }
        operatingClass = try map.value(forKey: 1).map { (view) throws(MdocError) in try cbor(view.integer()) }
        channelNumber = try map.value(forKey: 2).map { (view) throws(MdocError) in try cbor(view.integer()) }
        supportedBands = try map.value(forKey: 3).map { (view) throws(MdocError) in [UInt8](try cbor(view.bytes())) }
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        let numbers = [(key: UInt64(1), value: operatingClass), (key: 2, value: channelNumber)]
        let texts = [passPhrase != nil, supportedBands != nil].count { $0 }
        writer.beginMap(count: texts + numbers.count { $0.value != nil })
        if let passPhrase {
            writer.write(unsigned: 0)
            writer.write(text: passPhrase)
        }
        for (key, value) in numbers {
            guard let value else { continue }
            writer.write(unsigned: key)
            writer.write(unsigned: value)
        }
        if let supportedBands {
            writer.write(unsigned: 3)
            writer.write(bytes: supportedBands)
        }
    }
}
