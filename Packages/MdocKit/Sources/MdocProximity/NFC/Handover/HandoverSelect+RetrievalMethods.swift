public import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HandoverSelect {
    /// The ways to retrieve data over NFC and Bluetooth Low Energy that the message names.
    ///
    /// Other carriers, such as Wi-Fi Aware, are only in ``carriers``.
    ///
    /// - Parameter request: The Handover Request message in negotiated handover, nil in static handover.
    /// - Throws: `MdocError` with code `malformedHandover` for a carrier without a mandatory part, or `handoverRefused`
    ///   if the message does not select exactly one carrier that the request offers.
    public func retrievalMethods(answering request: HandoverRequest? = nil) throws(MdocError) -> [DeviceRetrievalMethod]
    {
        if let request { try requireOffer(in: request) }
        var methods: [DeviceRetrievalMethod] = []
        for carrier in carriers {
            switch carrier.configuration {
            case .nfc(let options?): methods.append(.nfc(options))
            case .nfc(nil): throw MdocError(.malformedHandover, "the wallet's NFC carrier has no lengths")
            case .ble(let data): methods.append(.ble(try options(data, request)))
            case .wifiAware, .other: continue
            }
        }
        return methods
    }

    private func requireOffer(in request: HandoverRequest) throws(MdocError) {
        guard carriers.count == 1 else {
            throw MdocError(.handoverRefused, "\(carriers.count) carriers are selected instead of one")
        }
        let isOffered =
            switch carriers[0].configuration {
            case .nfc: request.offersNFC
            case .ble(let data): request.bleModes.isSuperset(of: data.modes(from: .device))
            case .wifiAware:
                request.carriers.contains { if case .wifiAware = $0.configuration { true } else { false } }
            case .other(let selected):
                request.carriers.contains {
                    guard case .other(let offered) = $0.configuration else { return false }
                    return offered.typeNameFormat == selected.typeNameFormat && offered.type == selected.type
                }
            }
        guard isOffered else {
            throw MdocError(.handoverRefused, "a carrier is selected that the request did not offer")
        }
    }

    /// In negotiated handover each peripheral gives the UUID that it advertises; in static handover the wallet gives one.
    private func options(_ data: BLEOutOfBandData, _ request: HandoverRequest?) throws(MdocError) -> BLEOptions {
        let modes = data.modes(from: .device)
        let central = request == nil ? data.serviceUUID : request?.centralClientUUID
        let options = BLEOptions(
            peripheralServerUUID: modes.contains(.peripheralServer) ? data.serviceUUID : nil,
            centralClientUUID: modes.contains(.centralClient) ? central : nil,
            address: data.address,
            l2capPSM: data.serviceData?.l2capPSM
        )
        guard options.modes == modes else {
            throw MdocError(.malformedHandover, "a BLE mode is selected without a UUID")
        }
        return options
    }
}
