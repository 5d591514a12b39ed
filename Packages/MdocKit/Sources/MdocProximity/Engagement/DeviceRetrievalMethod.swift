public import CBORKit
package import MdocKit

/// A way to retrieve data from a wallet (ISO/IEC 18013-5, 9.3).
public enum DeviceRetrievalMethod: Hashable, Sendable {
    /// NFC data transfer (type 1).
    case nfc(NFCOptions)
    /// Bluetooth Low Energy (type 2).
    case ble(BLEOptions)
    /// Wi-Fi Aware (type 3).
    case wifiAware(WiFiAwareOptions)
    /// A website at a URI (type 4; ISO/IEC TS 18013-7, Annex A).
    case website(uri: String)
    /// A type or version that this module does not know.
    case other(type: UInt64, version: UInt64, options: CBOR?)
}

extension DeviceRetrievalMethod: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let members = Array(try cbor(view.array()))
        guard (2...3).contains(members.count) else {
            throw MdocError(.invalidValue, "a retrieval method has type, version and options", at: view)
        }
        let type: UInt64 = try cbor(members[0].integer())
        let version: UInt64 = try cbor(members[1].integer())
        let options = members.count == 3 ? members[2] : nil
        switch (type, version, options) {
        case (1, 1, let options?): self = .nfc(try NFCOptions(options, &reading))
        case (2, 1, let options?): self = .ble(try BLEOptions(options, &reading))
        case (3, 1, let options?): self = .wifiAware(try WiFiAwareOptions(options, &reading))
        case (4, 1, let options?): self = .website(uri: try cbor(try options.map().required(0).text()))
        default: self = .other(type: type, version: version, options: options?.value())
        }
    }

    /// A method's type and version, of which an engagement has each pair once.
    struct Kind: Hashable {
        let type: UInt64
        let version: UInt64
    }

    /// The type and version.
    var kind: Kind {
        switch self {
        case .nfc: Kind(type: 1, version: 1)
        case .ble: Kind(type: 2, version: 1)
        case .wifiAware: Kind(type: 3, version: 1)
        case .website: Kind(type: 4, version: 1)
        case .other(let type, let version, _): Kind(type: type, version: version)
        }
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        if case .other(_, _, nil) = self { writer.beginArray(count: 2) } else { writer.beginArray(count: 3) }
        writer.write(unsigned: kind.type)
        writer.write(unsigned: kind.version)
        switch self {
        case .nfc(let options): options.encode(to: &writer)
        case .ble(let options): options.encode(to: &writer)
        case .wifiAware(let options): options.encode(to: &writer)
        case .website(let uri):
            writer.beginMap(count: 1)
            writer.write(unsigned: 0)
            writer.write(text: uri)
        case .other(_, _, let options):
            if let options { writer.write(options) }
        }
    }
}
