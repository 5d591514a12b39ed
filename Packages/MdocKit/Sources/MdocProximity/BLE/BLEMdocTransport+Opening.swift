public import MdocKit

extension BLEMdocTransport {
    /// The smallest MTU that Bluetooth has, with which every connection begins.
    private static let smallestTransmissionUnit = 23

    /// Starts a transaction as the GATT client: the wallet in mdoc central client mode, the reader in mdoc peripheral
    /// server mode.
    ///
    /// A wallet first compares the reader's Ident with its engagement; the standard leaves that to it. Then the client
    /// subscribes to State and Server2Client and says in State that it is ready. Where that fails the link is closed,
    /// and both sides may connect again: nothing was sent yet (``BLEConnection/Recovery/reconnect``).
    ///
    /// - Parameters:
    ///   - link: A connection to the server.
    ///   - mode: The side that is the GATT server.
    ///   - engagement: The wallet's engagement.
    ///   - checksIdent: Indicates that a wallet goes on only where the reader's Ident is that of the engagement.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Throws: `MdocError` with code `keyMismatch` if the Ident is of another engagement, `missingMember` if there is
    ///   none, `invalidValue` if the MTU is below 23 bytes, or `transportFailed`.
    public static func connect(
        over link: any BLEClientLink,
        mode: BLEMode,
        engagement: DeviceEngagement,
        checksIdent: Bool = true,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) async throws(MdocError) -> BLEMdocTransport {
        do {
            if mode == .centralClient, checksIdent { try await checkIdent(of: engagement, link) }
            var connection = try connection(over: link, mode, isClient: true, maximumMessageSize)
            try await link.subscribe(to: .state)
            try await link.subscribe(to: .serverToClient)
            try await link.send(connection.start(), to: .state)
            try Task.checkCancellation()
            return BLEMdocTransport(link, connection, maximumMessageSize: maximumMessageSize)
        } catch {
            await link.close()
            throw .linkFailed(error)
        }
    }

    /// Waits as the GATT server until the client starts the transaction: the reader in mdoc central client mode, whose
    /// service gives ``DeviceEngagement/bleIdent()`` as its Ident, the wallet in mdoc peripheral server mode.
    ///
    /// On failure the link is closed, and both sides may connect again, since nothing was sent yet.
    ///
    /// - Parameters:
    ///   - link: A connection to the client.
    ///   - mode: The side that is the GATT server.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Throws: `MdocError` with code `unexpectedMessage` for a client that sends anything else before its start,
    ///   `malformedBLEData` for an invalid value of State, `invalidValue` for an MTU below 23 bytes, or
    ///   `transportFailed`, also for a client that ends the transaction before its start.
    public static func accept(
        over link: any BLELink,
        mode: BLEMode,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) async throws(MdocError) -> BLEMdocTransport {
        do {
            var connection = try connection(over: link, mode, isClient: false, maximumMessageSize)
            var values = link.values.makeAsyncIterator()
            guard let first = try await values.next() else {
                throw MdocError(.transportFailed, "the connection ended before the client was ready")
            }
            _ = try connection.receive(first)
            guard connection.phase == .started else {
                throw MdocError(.transportFailed, "the client ended the transaction before it was ready")
            }
            return BLEMdocTransport(link, connection, maximumMessageSize: maximumMessageSize)
        } catch {
            await link.close()
            throw .linkFailed(error)
        }
    }

    /// Refuses a reader whose Ident is not that of the engagement.
    static func checkIdent(of engagement: DeviceEngagement, _ link: any BLEClientLink) async throws {
        guard let ident = try await link.read(.ident) else {
            throw MdocError(.missingMember, "the reader's service has no Ident")
        }
        try engagement.checkBLEIdent(ident)
    }

    private static func connection(
        over link: any BLELink,
        _ mode: BLEMode,
        isClient: Bool,
        _ maximumMessageSize: Int
    ) throws(MdocError) -> BLEConnection {
        let unit = link.maximumTransmissionUnit
        guard unit >= smallestTransmissionUnit else {
            throw MdocError(.invalidValue, "an MTU has at least \(smallestTransmissionUnit) bytes, not \(unit)")
        }
        return BLEConnection(
            mode: mode,
            role: mode.isClient(.device) == isClient ? .device : .reader,
            maximumTransmissionUnit: unit,
            maximumMessageSize: maximumMessageSize
        )
    }
}
