import CBORKit
import CommandSupport
import Foundation
import MdocProximity

extension DeviceEngagement {
    /// The key and the ways to reach the device.
    var outline: Outline {
        .fields([
            "version": .text("\(version)"),
            "eDeviceKey": eDeviceKey.outline,
            "retrieval methods": .list(retrievalMethods.map(\.outline)),
            "origin infos": originInfos.map { .list($0.map(\.outline)) },
            "capabilities": capabilities.map(\.outline),
            "deviations": deviations.outline,
        ])
    }
}

extension DeviceRetrievalMethod {
    fileprivate var outline: Outline {
        switch self {
        case .nfc(let options): options.outline
        case .ble(let options): options.outline
        case .wifiAware(let options): options.outline
        case .website(let uri): .fields(["method": "website", "uri": .verbatim(uri)])
        case .other(let type, let version, let options):
            .fields([
                "method": .text("type \(type), version \(version)"),
                "options": options.map { .text($0.diagnosticNotation()) },
            ])
        }
    }
}

extension NFCOptions {
    fileprivate var outline: Outline {
        .fields([
            "method": "NFC",
            "largest command": .text("\(maximumCommandData) bytes"),
            "largest response": .text("\(maximumResponseData) bytes"),
        ])
    }
}

extension BLEOptions {
    fileprivate var outline: Outline {
        .fields([
            "method": "Bluetooth Low Energy",
            "service of the wallet as peripheral": peripheralServerUUID.map { .text($0.uuidString) },
            "service of the wallet as central": centralClientUUID.map { .text($0.uuidString) },
            // Written with the highest byte first, as people read a Bluetooth address.
            "address": address.map { .text($0.prefix(6).reversed().map { [$0].hexText }.joined(separator: ":")) },
            "L2CAP channel": l2capPSM.map { .text("\($0)") },
        ])
    }
}

extension WiFiAwareOptions {
    fileprivate var outline: Outline {
        .fields([
            "method": "Wi-Fi Aware",
            "passphrase": passPhrase.map { .text($0) },
            "operating class": operatingClass.map { .text("\($0)") },
            "channel": channelNumber.map { .text("\($0)") },
            "supported bands": supportedBands.map { .text($0.hexText) },
        ])
    }
}

extension OriginInfo {
    fileprivate var outline: Outline {
        .fields([
            "category": .text("\(category)"),
            "type": .text("\(type)"),
            "domain": domain.map { .verbatim($0) },
        ])
    }
}

extension EngagementCapabilities {
    fileprivate var outline: Outline {
        .fields([
            "MAC keys": macKeysSupport.map { .flag($0) },
            "curves of MAC keys": macKeysCurves.map { .list($0.map { .text("\($0)") }) },
            "session in the handover": handoverSessionEstablishmentSupport.map { .flag($0) },
            "signature over all requests": readerAuthAllSupport.map { .flag($0) },
            "extended requests": extendedRequestSupport.map { .flag($0) },
        ])
    }
}
