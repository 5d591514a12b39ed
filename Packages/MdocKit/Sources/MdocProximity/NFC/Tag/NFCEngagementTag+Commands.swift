import MdocKit

extension NFCEngagementTag {
    /// Answers a command.
    ///
    /// - Parameter command: The command APDU as received.
    /// - Returns: The response APDU, and what the command brought about.
    public mutating func respond(to command: [UInt8]) -> (response: [UInt8], event: Event?) {
        guard let command = try? CommandAPDU(decoding: command) else {
            return (ResponseAPDU(status: .wrongLength).encodedBytes, nil)
        }
        let (response, event) = respond(to: command)
        return (response.encodedBytes, event)
    }

    /// Answers a command that was read already.
    public mutating func respond(to command: CommandAPDU) -> (response: ResponseAPDU, event: Event?) {
        guard command.cla == 0 else { return (ResponseAPDU(status: .classNotSupported), nil) }
        switch command.ins {
        case CommandAPDU.Instruction.select: return (ResponseAPDU(status: select(command)), nil)
        case CommandAPDU.Instruction.readBinary: return read(command)
        case CommandAPDU.Instruction.updateBinary: return update(command)
        default: return (ResponseAPDU(status: .instructionNotSupported), nil)
        }
    }

    /// SELECT, by name or by file identifier; P2 may ask for file control information; the tag has none.
    private mutating func select(_ command: CommandAPDU) -> StatusWord {
        switch (command.p1, command.p2) {
        case (0x04, 0x00), (0x04, 0x0c): return selectApplication(command.data)
        case (0x00, 0x00), (0x00, 0x0c): return selectFile(command.data)
        default: return .wrongParameters
        }
    }

    private mutating func selectApplication(_ name: [UInt8]) -> StatusWord {
        guard !name.isEmpty else { return .wrongLength }
        guard name == CapabilityContainer.applicationID else { return .fileNotFound }
        isApplicationSelected = true
        reset()
        return .success
    }

    private mutating func selectFile(_ identifier: [UInt8]) -> StatusWord {
        guard isApplicationSelected else { return .conditionsNotSatisfied }
        guard identifier.count == 2 else { return .wrongLength }
        switch UInt16(identifier[0]) << 8 | UInt16(identifier[1]) {
        case CapabilityContainer.fileID: file = .container
        case container.ndefFileID: file = .ndef
        default: return .fileNotFound
        }
        return .success
    }

    /// READ BINARY: as many bytes as there are, at most Le.
    private mutating func read(_ command: CommandAPDU) -> (response: ResponseAPDU, event: Event?) {
        if let status = refusal(of: command) { return (ResponseAPDU(status: status), nil) }
        guard command.data.isEmpty, let length = command.expectedLength, length <= container.maximumReadLength else {
            return (ResponseAPDU(status: .wrongLength), nil)
        }
        let bytes = file == .container ? container.encodedBytes : visibleContent
        let offset = Self.offset(command)
        guard offset < bytes.count else { return (ResponseAPDU(status: .offsetOutsideFile), nil) }
        let data = [UInt8](bytes[offset...].prefix(length))
        return (ResponseAPDU(data: data, status: .success), completion(upTo: offset + data.count))
    }

    /// UPDATE BINARY, of the NDEF file alone.
    private mutating func update(_ command: CommandAPDU) -> (response: ResponseAPDU, event: Event?) {
        if let status = refusal(of: command) { return (ResponseAPDU(status: status), nil) }
        guard file == .ndef, container.isWritable, isWritableNow else {
            return (ResponseAPDU(status: .conditionsNotSatisfied), nil)
        }
        guard !command.data.isEmpty, command.data.count <= container.maximumWriteLength else {
            return (ResponseAPDU(status: .wrongLength), nil)
        }
        let offset = Self.offset(command)
        guard offset + command.data.count <= container.maximumFileSize else {
            return (ResponseAPDU(status: .offsetOutsideFile), nil)
        }
        let (status, event) = write(command.data, at: offset)
        return (ResponseAPDU(status: status), event)
    }

    /// The status that refuses any command on the selected file, or nil.
    private func refusal(of command: CommandAPDU) -> StatusWord? {
        guard file != .none else { return .conditionsNotSatisfied }
        // The highest bit stands for a short file identifier, and there are none.
        return command.p1 & 0x80 == 0 ? nil : .wrongParameters
    }

    private static func offset(_ command: CommandAPDU) -> Int {
        Int(command.p1) << 8 | Int(command.p2)
    }
}
