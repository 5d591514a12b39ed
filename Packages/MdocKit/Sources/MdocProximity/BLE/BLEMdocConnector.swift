public import MdocKit

/// Connects a reader over Bluetooth Low Energy to the wallet that an engagement is of.
///
/// Of the modes that the wallet offers and the reader can do it takes mdoc central client mode first, as the standard
/// wants it.
public struct BLEMdocConnector: MdocTransportConnector {
    private let radio: any BLERadio
    private let modes: Set<BLEMode>
    private let options: BLEOptions?
    private let maximumMessageSize: Int

    /// Makes a connector.
    ///
    /// - Parameters:
    ///   - radio: The app's Bluetooth.
    ///   - modes: The modes that the radio can do.
    ///   - options: The wallet's offer, if it came in an NFC handover (``NFCHandover/retrievalMethods()``); nil
    ///     if the engagement has it.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    public init(
        radio: any BLERadio,
        modes: Set<BLEMode> = Set(BLEMode.allCases),
        options: BLEOptions? = nil,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) {
        self.radio = radio
        self.modes = modes
        self.options = options
        self.maximumMessageSize = maximumMessageSize
    }

    /// Opens a channel to the wallet.
    ///
    /// - Parameter engagement: The wallet's engagement.
    /// - Throws: `MdocError` with code `transportFailed` if the wallet offers no mode that the radio can do, or cannot
    ///   be reached; what ``BLERadio/openTransport(for:mode:options:engagement:maximumMessageSize:)`` throws.
    public func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport {
        guard let options = options ?? engagement.retrievalMethods.lazy.compactMap(\.bleOptions).first,
            let mode = options.preferredMode(among: modes)
        else {
            throw MdocError(
                .transportFailed,
                "the wallet offers no mode of Bluetooth Low Energy that the reader can do"
            )
        }
        return try await radio.openTransport(
            for: .reader,
            mode: mode,
            options: options,
            engagement: engagement,
            maximumMessageSize: maximumMessageSize
        )
    }
}

extension DeviceRetrievalMethod {
    /// The parameters of Bluetooth Low Energy; nil for any other method.
    public var bleOptions: BLEOptions? {
        guard case .ble(let options) = self else { return nil }
        return options
    }
}
