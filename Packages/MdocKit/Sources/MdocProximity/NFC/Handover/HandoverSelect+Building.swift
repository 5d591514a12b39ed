public import MdocKit

extension HandoverSelect {
    /// Builds the message for static handover.
    ///
    /// - Parameters:
    ///   - deviceEngagement: The wallet's engagement, without ways to retrieve data of its own.
    ///   - retrievalMethods: NFC and Bluetooth Low Energy, each once at most; both BLE modes with the same UUID. For Wi-Fi
    ///     Aware use ``init(carriers:deviceEngagement:)``.
    /// - Throws: `MdocError` with code `malformedHandover` if a method cannot be written into such a message.
    public init(
        deviceEngagement: DeviceEngagement,
        retrievalMethods: [DeviceRetrievalMethod]
    ) throws(MdocError) {
        var carriers: [HandoverCarrier] = []
        for method in retrievalMethods { carriers.append(try Self.carrier(method)) }
        try self.init(carriers: carriers, deviceEngagement: deviceEngagement)
    }

    /// Builds the message that answers a Handover Request message.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - method: The one way to retrieve data that the wallet selects, among those that the request offers. Of the two
    ///     BLE modes one alone: mdoc central client mode with the request's UUID, see
    ///     ``HandoverRequest/centralClientUUID``, or mdoc peripheral server mode with a new one.
    ///   - deviceEngagement: The wallet's engagement, without ways to retrieve data of its own.
    /// - Throws: `MdocError` with code `handoverRefused` if the request does not offer the method, or
    ///   `malformedHandover` if it cannot be written into such a message.
    public init(
        answering request: HandoverRequest,
        selecting method: DeviceRetrievalMethod,
        deviceEngagement: DeviceEngagement
    ) throws(MdocError) {
        let carrier: HandoverCarrier
        switch method {
        case .nfc where request.offersNFC:
            carrier = try Self.carrier(method)
        case .ble(let options) where options.modes.count == 1 && request.bleModes.isSuperset(of: options.modes):
            guard !options.supportsCentralClient || options.centralClientUUID == request.centralClientUUID else {
                throw MdocError(.handoverRefused, "mdoc central client mode uses the UUID of the request")
            }
            // The reader knows its own UUID.
            carrier = try Self.carrier(options, withUUID: options.supportsPeripheralServer)
        default:
            throw MdocError(.handoverRefused, "the request does not offer that way to retrieve data, or it is not one")
        }
        try self.init(carriers: [carrier], deviceEngagement: deviceEngagement)
    }

    private static func carrier(_ method: DeviceRetrievalMethod) throws(MdocError) -> HandoverCarrier {
        switch method {
        case .nfc(let options): HandoverCarrier(.nfc(options))
        case .ble(let options): try carrier(options, withUUID: true)
        case .wifiAware, .website, .other:
            throw MdocError(.malformedHandover, "no handover record can be made of a retrieval method but NFC and BLE")
        }
    }

    private static func carrier(_ options: BLEOptions, withUUID: Bool) throws(MdocError) -> HandoverCarrier {
        let uuids = Set(options.modes.map { options.serviceUUID(for: $0) })
        guard uuids.count == 1, let uuid = uuids.first ?? nil else {
            throw MdocError(.malformedHandover, "BLE needs a mode, and one UUID for whatever modes there are")
        }
        guard options.l2capPSM == nil else {
            throw MdocError(.malformedHandover, "an L2CAP channel has no number yet under which to write it")
        }
        let data = try BLEOutOfBandData(
            role: BLEOutOfBandData.role(offering: options.modes, by: .device),
            serviceUUID: withUUID ? uuid : nil,
            address: options.address
        )
        return HandoverCarrier(.ble(data))
    }
}
