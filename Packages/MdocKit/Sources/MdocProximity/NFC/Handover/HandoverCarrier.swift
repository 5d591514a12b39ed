import MdocKit

/// A technology for the exchange of data that a handover message offers or selects (ISO/IEC 18013-5, 9.2).
public struct HandoverCarrier: Hashable, Sendable {
    /// The power state of a carrier.
    public enum PowerState: UInt8, Hashable, Sendable {
        /// Off.
        case inactive = 0
        /// On.
        case active = 1
        /// About to be on.
        case activating = 2
        /// The sender does not say.
        case unknown = 3
    }

    /// The configuration of a carrier.
    public enum Configuration: Hashable, Sendable {
        /// NFC data transfer: a record `iso.org:18013:nfc`; a reader gives no lengths.
        case nfc(NFCOptions?)
        /// Bluetooth Low Energy: a record `application/vnd.bluetooth.le.oob`.
        case ble(BLEOutOfBandData)
        /// Wi-Fi Aware: the payload of a record `application/vnd.wfa.nan`, whose form is the Wi-Fi Alliance's.
        case wifiAware([UInt8])
        /// A record of another type, an NFC carrier of another version, or a Bluetooth Low Energy carrier of an unknown role.
        case other(NDEFRecord)
    }

    /// The id of the record with the configuration, 1 to 255 bytes.
    public let id: [UInt8]
    /// The power state of the carrier.
    public let powerState: PowerState
    /// The configuration of the carrier.
    public let configuration: Configuration

    /// Creates a carrier.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the carrier.
    ///   - id: The id of its record; by default `0` for Bluetooth Low Energy, `nfc` for NFC, `W` for Wi-Fi Aware, and the
    ///     record's own for another.
    ///   - powerState: The power state of the carrier.
    public init(_ configuration: Configuration, id: [UInt8]? = nil, powerState: PowerState = .active) {
        self.configuration = configuration
        self.powerState = powerState
        self.id = id ?? Self.usualID(of: configuration)
    }

    private static func usualID(of configuration: Configuration) -> [UInt8] {
        switch configuration {
        case .ble: Array("0".utf8)
        case .nfc: Array("nfc".utf8)
        case .wifiAware: Array("W".utf8)
        case .other(let record): record.id
        }
    }
}

extension HandoverCarrier {
    /// Reads the record with a carrier's configuration.
    init(_ record: NDEFRecord, powerState: PowerState) throws(MdocError) {
        let configuration: Configuration =
            if record.isOf(.media, "application/vnd.bluetooth.le.oob"),
                BLEOutOfBandData.isKnownRole(in: record.payload)
            {
                .ble(try BLEOutOfBandData(decoding: record.payload))
            } else if record.isOf(.external, "iso.org:18013:nfc"), NFCOptions.isKnownVersion(record.payload) {
                .nfc(try NFCOptions.options(inCarrier: record.payload))
            } else if record.isOf(.media, "application/vnd.wfa.nan") {
                .wifiAware(record.payload)
            } else {
                .other(record)
            }
        self.init(configuration, id: record.id, powerState: powerState)
    }

    /// The record with the configuration.
    func record() throws(MdocError) -> NDEFRecord {
        switch configuration {
        case .nfc(let options):
            try NDEFRecord(.external, "iso.org:18013:nfc", id: id, payload: NFCOptions.carrierPayload(options))
        case .ble(let data):
            try NDEFRecord(.media, "application/vnd.bluetooth.le.oob", id: id, payload: data.encodedBytes)
        case .wifiAware(let payload):
            try NDEFRecord(.media, "application/vnd.wfa.nan", id: id, payload: payload)
        case .other(let record):
            try NDEFRecord(record.typeNameFormat, type: record.type, id: id, payload: record.payload)
        }
    }
}
