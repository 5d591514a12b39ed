public import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BLERadio {
    /// The number of attempts at a connection that is lost before anything was sent.
    private static var maximumAttempts: Int { 3 }

    /// Opens a channel to the other side: over L2CAP where both sides have it, else over GATT.
    ///
    /// A wallet that is the client first compares the reader's Ident with its engagement. Where the connection is lost
    /// before the transaction has started it is made again, twice at most.
    ///
    /// - Parameters:
    ///   - role: The side that this is.
    ///   - mode: The side that is the GATT server.
    ///   - options: The wallet's offer, with the UUID of the mode.
    ///   - engagement: The wallet's engagement.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Returns: A ``BLEMdocTransport`` or an ``L2CAPMdocTransport``.
    /// - Throws: `MdocError` with code `invalidValue` if the wallet does not offer the mode, or what
    ///   ``BLEMdocTransport/connect(over:mode:engagement:checksIdent:maximumMessageSize:)`` and
    ///   ``BLEMdocTransport/accept(over:mode:maximumMessageSize:)`` throw.
    public func openTransport(
        for role: SessionEncryption.Role,
        mode: BLEMode,
        options: BLEOptions,
        engagement: DeviceEngagement,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) async throws(MdocError) -> any MdocTransport {
        guard let service = options.serviceUUID(for: mode) else {
            throw MdocError(.invalidValue, "the wallet does not offer \(mode)")
        }
        let ident = mode == .centralClient ? try engagement.bleIdent() : nil
        var attemptsLeft = Self.maximumAttempts
        while true {
            attemptsLeft -= 1
            let connection = try await connection(for: role, mode, service, ident)
            do throws(MdocError) {
                switch connection {
                case .client(let link):
                    return try await open(link, mode, options, engagement, maximumMessageSize)
                case .server(.gatt(let link)):
                    return try await BLEMdocTransport.accept(
                        over: link,
                        mode: mode,
                        maximumMessageSize: maximumMessageSize
                    )
                case .server(.l2cap(let link)):
                    return L2CAPMdocTransport(over: link, maximumMessageSize: maximumMessageSize)
                }
            } catch {
                guard error.code == .transportFailed, attemptsLeft > 0, !Task.isCancelled else { throw error }
            }
        }
    }

    /// A connection whose transaction has not started.
    private func connection(
        for role: SessionEncryption.Role,
        _ mode: BLEMode,
        _ service: UUID,
        _ ident: [UInt8]?
    ) async throws(MdocError) -> BLEConnectionBySide {
        do {
            return mode.isClient(role)
                ? .client(try await connect(toService: service, mode: mode))
                : .server(try await publish(service: service, mode: mode, ident: ident))
        } catch {
            throw .linkFailed(error)
        }
    }

    private func open(
        _ link: any BLEClientLink,
        _ mode: BLEMode,
        _ options: BLEOptions,
        _ engagement: DeviceEngagement,
        _ maximumMessageSize: Int
    ) async throws(MdocError) -> any MdocTransport {
        do {
            if mode == .centralClient { try await BLEMdocTransport.checkIdent(of: engagement, link) }
            // GATT works wherever L2CAP fails; the draft does not even define the encoding of the PSM.
            if let psm = try? await psm(of: link, mode, options),
                let channel = try? await link.openL2CAPChannel(psm: psm)
            {
                return L2CAPMdocTransport(over: channel, maximumMessageSize: maximumMessageSize)
            }
        } catch {
            await link.close()
            throw .linkFailed(error)
        }
        return try await BLEMdocTransport.connect(
            over: link,
            mode: mode,
            engagement: engagement,
            checksIdent: false,
            maximumMessageSize: maximumMessageSize
        )
    }

    /// The server's L2CAP channel: a wallet may tell it in the engagement.
    private func psm(
        of link: any BLEClientLink,
        _ mode: BLEMode,
        _ options: BLEOptions
    ) async throws(MdocError) -> UInt32? {
        if mode == .peripheralServer, let psm = options.l2capPSM { return psm }
        return try await link.l2capPSM()
    }
}

/// A connection by the side that it is of.
private enum BLEConnectionBySide {
    case client(any BLEClientLink)
    case server(BLEServerConnection)
}
