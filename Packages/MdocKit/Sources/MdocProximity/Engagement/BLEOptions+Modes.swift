import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension BLEOptions {
    /// The modes that the wallet offers.
    public var modes: Set<BLEMode> {
        Set(BLEMode.allCases.filter { supports($0) })
    }

    /// Returns `true` if the wallet offers a mode.
    public func supports(_ mode: BLEMode) -> Bool {
        mode == .peripheralServer ? supportsPeripheralServer : supportsCentralClient
    }

    /// The service UUID for a mode; nil where the wallet does not offer it.
    public func serviceUUID(for mode: BLEMode) -> UUID? {
        mode == .peripheralServer ? peripheralServerUUID : centralClientUUID
    }

    /// The mode that a reader takes, or nil if the wallet offers none that the reader supports.
    ///
    /// Of two offered modes it is mdoc central client mode (ISO/IEC 18013-5, 11.1.3.1).
    public func preferredMode(among modes: Set<BLEMode> = Set(BLEMode.allCases)) -> BLEMode? {
        [.centralClient, .peripheralServer].first { supports($0) && modes.contains($0) }
    }
}
